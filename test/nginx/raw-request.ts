import { connect } from "node:net";

export interface RawAnswer {
  status: number;
  /** Header lines in order, names in lower case; a repeated header is listed repeatedly. */
  headers: [name: string, value: string][];
  body: string;
}

/** Sends bytes unchanged, as no HTTP client would, and reads one answer, up to its Content-Length or the server's close. */
export function rawRequest(port: number, message: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(message, "latin1"));
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
      const answer = parse(text);
      const length = headerLines(answer, "content-length")[0];
      if (length !== undefined && answer.body.length >= Number(length) && !message.startsWith("HEAD")) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(parse(text)));
  });
}

function parse(text: string): RawAnswer {
  const [head = "", ...body] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(statusLine.split(" ")[1]), headers, body: body.join("\r\n\r\n") };
}

/** Sends one request, such as `GET /about`, and closes the connection after the answer. */
export function sendRequest(port: number, line: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  const lines = Object.entries({ Host: "127.0.0.1", Connection: "close", ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return rawRequest(port, `${line} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
}

/** All values of a header, in order. `name` is in lower case. */
export function headerLines(answer: RawAnswer, name: string): string[] {
  return answer.headers.filter(([found]) => found === name).map(([, value]) => value);
}
