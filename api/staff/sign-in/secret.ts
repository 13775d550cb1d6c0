import { createHash, randomBytes } from "node:crypto";

/** Makes a secret of 43 characters that fits into addresses, cookies and JSON. */
export const makeSecret = (): string => randomBytes(32).toString("base64url");

/** What is stored of a secret: whoever reads the database can't use it. */
export const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");
