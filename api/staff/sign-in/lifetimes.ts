import { DAY_MS } from "../../contract/duration.ts";

/** How long a link waits to be used. */
export const LINK_KEPT_MS = DAY_MS;

/** How long a browser has to answer a challenge. */
export const CHALLENGE_KEPT_MS = 5 * 60_000;

/** From signing in, however busy the editor is. */
export const SESSION_KEPT_MS = DAY_MS / 2;
