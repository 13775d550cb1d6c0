import { createInterface } from "node:readline";
import { ContentError } from "../../content-schema/content-error.ts";

export interface Question {
  text: string;
  /** What there is to choose from, numbered from 1. */
  choices?: readonly string[];
  /** What an empty answer stands for. */
  otherwise?: string;
  /** Why an answer can't be: the rest of a sentence that begins with the answer's name, or a whole one. */
  check: (answer: string) => string | undefined | Promise<string | undefined>;
}

export type Ask = (question: Question) => Promise<string>;

/**
 * Holds a conversation on the terminal, or with answers that are piped in, one a line. A person may try again; a pipe
 * can't.
 *
 * @throws ContentError when a piped answer is wrong, or the answers end too early
 */
export async function converse<Result>(talk: (ask: Ask) => Promise<Result>): Promise<Result> {
  const { stdin: input, stdout: output } = process;
  const isPerson = input.isTTY === true;
  const terminal = createInterface({ input, output, terminal: isPerson });
  const lines = terminal[Symbol.asyncIterator]();
  terminal.on("SIGINT", () => {
    console.error("\nNothing was written.");
    process.exit(130);
  });
  const ask: Ask = async (question) => {
    const { text, choices = [], otherwise, check } = question;
    for (const [index, choice] of choices.entries()) console.log(`  ${index + 1}  ${choice}`);
    const prompt = `${text}${otherwise ? ` [${otherwise}]` : ""}: `;
    terminal.setPrompt(prompt);
    // A pipe may have ended, and be closed, with answers that are still to be read.
    if (isPerson) terminal.prompt();
    else output.write(prompt);
    const { value, done } = await lines.next();
    if (done) throw new ContentError(`\nThe answer to “${text}” is missing. Nothing was written.`);
    const answer = String(value).trim() || (otherwise ?? "");
    const problem = await check(answer);
    if (!isPerson) console.log(answer);
    if (problem === undefined) return answer;
    if (!isPerson) throw new ContentError(`${text}: ${problem}\nNothing was written.`);
    console.log(`  ${problem}`);
    return ask(question);
  };
  try {
    return await talk(ask);
  } finally {
    terminal.close();
  }
}
