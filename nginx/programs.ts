import { accessSync, constants } from "node:fs";
import { SERVER_PATH } from "../api/platform/server-path.ts";

/** A problem that the person who starts the shop can fix: shown as a message, without a stack trace. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Whether SERVER_PATH leads to a program. */
export function hasProgram(name: string): boolean {
  return SERVER_PATH.split(":").some((folder) => {
    try {
      accessSync(`${folder || "."}/${name}`, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
