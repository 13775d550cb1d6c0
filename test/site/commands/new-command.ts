import { spawn } from "node:child_process";
import { bareEnvironment } from "../../bare-environment.ts";

/** Runs a command in a copy of the project; `said` grows with its output, `code` is its exit code. */
export function run(root: string, command: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, { cwd: root, env: { ...bareEnvironment(), ...env } });
  const running = {
    said: "",
    stdin: child.stdin,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    code: new Promise((resolve) => child.on("close", resolve)),
  };
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => {
      running.said += text;
    });
  return running;
}

/** Pipes answers into `npm run new`. Returns its exit code and output. */
export async function answerNew(
  root: string,
  kind: string,
  answers: string[],
): Promise<{ code: unknown; output: string }> {
  const running = run(root, process.execPath, ["site/commands/new.ts", kind]);
  running.stdin.end(`${answers.join("\n")}\n`);
  return { code: await running.code, output: running.said };
}
