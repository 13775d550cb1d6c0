/** Something that keeps the shop from starting and that its person can mend: shown as a message, without a stack. */
export class StartError extends Error {
  override readonly name = "StartError";
}
