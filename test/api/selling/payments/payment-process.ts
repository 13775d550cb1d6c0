/** Opens the payment page of order 1, or makes a round of the sweep, in a process that a test can kill. */

import { readEnv } from "../../../../api/env.ts";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { COMMAND, openDatabase } from "../../../../api/platform/database/pool.ts";
import { openPaymentPage } from "../../../../api/selling/payments/open-page.ts";
import { makePayments } from "../../../../api/selling/payments/stripe-client.ts";
import { makePaymentSweep } from "../../../../api/selling/payments/sweep.ts";
import { pageOptions } from "./page-options.ts";

const env = readEnv(process.env);
if (!env.stripe) throw new Error("Cards aren't taken.");
const db = openDatabase(env.database, { timeouts: COMMAND });
const payments = makePayments(db, env.stripe, makeFollowUp({ pushWhen: "manual" }));
if (process.argv[2] === "open") console.log(await openPaymentPage(payments, 1, pageOptions(1)));
else await makePaymentSweep(payments, console)(new AbortController().signal);
// The test kills it here, before anything else follows.
console.log("done");
