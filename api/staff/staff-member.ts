import type { FastifyRequest } from "fastify";
import type { Right } from "../contract/staff-rights.ts";

export type { Right };

/** Somebody who works in the shop at /admin, and what they may do at this moment. */
export interface StaffMember {
  id: number;
  name: string;
  email: string;
  rights: ReadonlySet<Right>;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Who is signed in with the browser that sent this; undefined if nobody is. Only in the scope of serveStaff. */
    findStaff(): Promise<StaffMember | undefined>;
  }
}

/** Nobody is signed in: a page leads to where one signs in, and back. */
export class SignedOut extends Error {
  override readonly name = "SignedOut";
}

/** Who is signed in may not do this, which they get as a page in words. */
export class RightMissing extends Error {
  override readonly name = "RightMissing";
  readonly right: Right;

  constructor(right: Right) {
    super(`This needs the right ${right}.`);
    this.right = right;
  }
}

/** Who is signed in. Throws the way to sign in. */
export async function requireStaff(request: FastifyRequest): Promise<StaffMember> {
  const member = await request.findStaff();
  if (!member) throw new SignedOut("Nobody is signed in.");
  return member;
}

/** Who is signed in, if they have this right now. Throws the page of refusal. */
export async function requireRight(request: FastifyRequest, right: Right): Promise<StaffMember> {
  const member = await requireStaff(request);
  if (!member.rights.has(right)) throw new RightMissing(right);
  return member;
}
