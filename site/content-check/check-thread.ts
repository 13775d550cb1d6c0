// The thread of check-aside.ts.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { findProblems } from "./check.ts";

const { root, cacheFolder }: { root: string; cacheFolder: string } = workerData;
(parentPort as MessagePort).postMessage(await findProblems(root, cacheFolder));
