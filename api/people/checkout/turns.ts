import { PageProblem } from "../../platform/private-pages/problem-page.ts";

/** Lets so many at a time do their work, in the order in which they came. */
export class Turns {
  readonly #withinMs: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  /** @param withinMs how long one waits for a turn */
  constructor(atOnce: number, withinMs: number) {
    this.#free = atOnce;
    this.#withinMs = withinMs;
  }

  /** Does the work in its turn. Throws the problem of a 503, and does nothing, when its turn doesn't come in time. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait();
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next) next();
      else this.#free += 1;
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        this.#waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        reject(new PageProblem("unavailable", { headers: { "Retry-After": "5" } }));
      }, this.#withinMs);
      this.#waiting.add(begin);
    });
  }
}
