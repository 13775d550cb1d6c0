// The thread on which the admin checks the drafts.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { findProblems } from "../content-check/check.ts";

const { root, cacheFolder }: { root: string; cacheFolder: string } = workerData;
(parentPort as MessagePort).postMessage(await findProblems(root, cacheFolder));
