/** One line of what `npm run doctor` prints. */
export interface Finding {
  /** What was looked at: `mails`. */
  name: string;
  /** A warning can wait for the day, a fault can't. */
  state: "well" | "warning" | "fault";
  /** What is so and, unless it's well, what to do. */
  text: string;
}

export const well = (name: string, text: string): Finding => ({ name, state: "well", text });
export const warning = (name: string, text: string): Finding => ({ name, state: "warning", text });
export const fault = (name: string, text: string): Finding => ({ name, state: "fault", text });
