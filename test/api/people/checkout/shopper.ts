import { setTimeout as sleep } from "node:timers/promises";
import type { DetailsForm } from "../../../../api/people/checkout/details.ts";
import { filledForm, placeFields } from "./filled-form.ts";

/** Where to send a request: the address of an API process, another one each time where there are several. */
type Choose = () => string;

interface Answer {
  status: number;
  /** Where a redirect leads; empty without one. */
  location: string;
  page: string;
  retryAfter: string | null;
}

/** A browser over HTTP, as nginx passes its requests on. Like a person, it tries again what was cut off. */
export class Shopper {
  readonly #choose: Choose;
  readonly #address: string;
  #cookie = "";
  /** Requests that got no answer, or one that asks to come again. */
  cut = 0;

  /** @param address its IP address, by which the shop counts orders */
  constructor(choose: Choose, address: string) {
    this.#choose = choose;
    this.#address = address;
  }

  /** `name=value` of the session. */
  get cookie(): string {
    return this.#cookie;
  }

  get = (path: string): Promise<Answer> => this.#send("GET", path);

  post = (path: string, fields: Readonly<Record<string, string>>): Promise<Answer> => this.#send("POST", path, fields);

  /** Sends a form once, whatever the answer. */
  click = (path: string, fields: Readonly<Record<string, string>>): Promise<Answer> =>
    this.#trySend("POST", path, fields);

  /** Puts articles into the basket. */
  async fillBasket(items: string): Promise<void> {
    this.#expect(await this.post("/cart/lines", { items }), 303, "/cart");
  }

  /** Enters the details and opens the review page. Returns what its form sends. */
  async review(entered: Partial<DetailsForm> = {}): Promise<Record<string, string>> {
    this.#expect(await this.post("/checkout", filledForm(entered) as Record<string, string>), 303, "/checkout/review");
    return placeFields(this.#expect(await this.get("/checkout/review"), 200).page);
  }

  /**
   * Sends the form of the review page, `clicks` times at once, and goes where the answers lead until each click has
   * ended at an order. Returns their paths.
   */
  order = (fields: Record<string, string>, clicks = 1): Promise<string[]> =>
    Promise.all(Array.from({ length: clicks }, () => this.#order(fields)));

  async #order(fields: Record<string, string>): Promise<string> {
    let answer = await this.post("/checkout/place", fields);
    for (;;) {
      const { location, page } = answer;
      if (location.startsWith("/account/orders/")) return location;
      if (location.startsWith("/checkout/review")) answer = await this.get(location);
      else answer = await this.post("/checkout/place", placeFields(page));
    }
  }

  async #send(method: "GET" | "POST", path: string, fields?: Readonly<Record<string, string>>): Promise<Answer> {
    for (;;) {
      const answer = await this.#trySend(method, path, fields).catch(() => undefined);
      if (answer && answer.status < 500) return answer;
      this.cut += 1;
      await sleep(20);
    }
  }

  async #trySend(method: string, path: string, fields?: Readonly<Record<string, string>>): Promise<Answer> {
    const answer = await fetch(this.#choose() + path, {
      method,
      redirect: "manual",
      body: fields ? new URLSearchParams(fields) : null,
      headers: {
        ...{ "sec-fetch-site": "same-origin", "x-forwarded-host": "shop.example", "x-forwarded-proto": "https" },
        ...{ "x-forwarded-for": this.#address, cookie: this.#cookie },
      },
    });
    const page = await answer.text();
    const [set] = answer.headers.getSetCookie();
    this.#cookie = set?.split(";", 1)[0] ?? this.#cookie;
    const retryAfter = answer.headers.get("retry-after");
    return { status: answer.status, location: answer.headers.get("location") ?? "", page, retryAfter };
  }

  #expect(answer: Answer, status: number, location = ""): Answer {
    if (answer.status === status && answer.location.startsWith(location)) return answer;
    throw new Error(`Expected ${status} ${location}: ${answer.status} ${answer.location} ${answer.page}`);
  }
}
