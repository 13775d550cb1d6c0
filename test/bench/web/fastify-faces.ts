// `node fastify-faces.ts DIST PORT`: the same files, negotiated and served by Fastify and @fastify/static.
import fastifyStatic from "@fastify/static";
import fastify from "fastify";

const [dist = "", port] = process.argv.slice(2);
const app = fastify();
app.register(fastifyStatic, { root: dist, serve: false, preCompressed: true, cacheControl: false });

app.get("/*", (request, reply) => {
  // Far simpler than RFC 9110, and so far cheaper.
  const face = request.headers.accept?.startsWith("text/markdown") ? "md" : "html";
  reply.header("Vary", "Accept, Accept-Encoding");
  reply.header("Cache-Control", "public, max-age=0, must-revalidate");
  return reply.sendFile(`${request.url}.${face}`);
});

await app.listen({ host: "127.0.0.1", port: Number(port) });
