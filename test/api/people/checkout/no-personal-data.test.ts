import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { makeLoggerOptions } from "../../../../api/platform/monitoring/log.ts";
import { createMetrics } from "../../../../api/platform/monitoring/metrics.ts";
import { mintOrderKey } from "../../../../api/selling/mail/order-keys.ts";
import { placeFields } from "./filled-form.ts";
import { enterDetails, place, startCheckout } from "./start-checkout.ts";

const entered = {
  ...{ email: "perdita@sesame.example", first_name: "Perdita", last_name: "Okonjo", company: "Sesame Bakery" },
  ...{ phone: "+49 221 8675309", address1: "Quendelweg 77", city: "Zwiesel", postal_code: "94227" },
  ...{ buyer_reference: "PO-SESAME", note: "Knock at the oak door" },
};
const personal = [...Object.values(entered), "sesame", "Perdita"];

test("fault 39: from the basket to the order's page, also when it fails, no log, metric or address has personal data or a key", async () => {
  let log = "";
  const stream = new Writable({
    write(line, _encoding, done) {
      log += String(line);
      done();
    },
  });
  const metrics = createMetrics();
  const logger = { ...makeLoggerOptions({ texts: [], patterns: [] }), stream };
  const { db, customer, otherCustomer } = await startCheckout({ logger, metrics });
  const addresses: unknown[] = [];
  const follow = ({ headers }: { headers: { location?: unknown } }) => void addresses.push(headers.location);

  follow(await customer.post("/checkout", { email: entered.email }));
  await enterDetails(customer, entered);
  const fields = placeFields((await customer.get("/checkout/review")).payload);
  follow(await place(customer, { ...fields, quote: entered.email }));
  // A fault of ours, whose error has the statement with all values.
  const limitReference = (length: number) =>
    db.schema.alterTable("orders").modifyColumn("buyer_reference", `varchar(${length})`).execute();
  await limitReference(2);
  const broken = await place(customer, fields);
  expect(broken.statusCode).toBe(500);
  await limitReference(191);
  const placed = await place(customer, fields);
  expect(placed.headers.location).toBe("/account/orders/A-1001");
  follow(placed);
  follow(await customer.post("/account/find", { number: "A-1001", email: entered.email }));
  const key = await mintOrderKey(db, 1);
  follow(await otherCustomer().get(`/account/open?key=${key}`));
  follow(await otherCustomer().get(`/account/open?key=${key}x`));

  const [session] = [...customer.jar.values()];
  const exported = await metrics.registry.metrics();
  expect(log).toContain('"route":"/checkout/place"');
  expect(exported).toContain("/checkout/place");
  for (const secret of [...personal, key, session, fields["quote"]])
    for (const where of [log, exported, JSON.stringify(addresses), broken.payload]) expect(where).not.toContain(secret);
});
