import { createInterface } from "node:readline";
import { ContentError } from "../../content-schema/content-error.ts";

export interface Question {
  text: string;
  /** Shown as a list, numbered from 1. */
  choices?: readonly string[];
  /** The answer if a person just presses Enter. */
  otherwise?: string;
  /** Why an answer is wrong: a whole sentence, or the rest of one that starts with the question. Undefined if it is right. */
  check: (answer: string) => string | undefined | Promise<string | undefined>;
}

export type Ask = (question: Question) => Promise<string>;

/**
 * Asks questions on the terminal, or reads piped answers, one a line. A person may try again; a pipe
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
    // readline can't prompt once a pipe has closed, though its lines are still to be read.
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
