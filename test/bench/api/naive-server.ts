// The list that one writes first: pages by OFFSET, and the lines of each order by a statement of their own.
import Fastify from "fastify";
import { createPool, type RowDataPacket } from "mysql2/promise";

const [, , socketPath = "", columns = ""] = process.argv;
const pool = createPool({ socketPath, user: "root", database: "twinfront", dateStrings: true });
const app = Fastify();

app.get<{ Querystring: { offset: string } }>("/orders", async ({ query }) => {
  const [orders] = await pool.query<RowDataPacket[]>(`select ${columns} from orders order by id limit 50 offset ?`, [
    Number(query.offset),
  ]);
  const withLines = orders.map(async (order) => {
    const [lines] = await pool.query("select * from order_lines where order_id = ? order by position", [order["id"]]);
    return { ...order, lines };
  });
  return { orders: await Promise.all(withLines) };
});

process.on("disconnect", () => process.exit());
process.send?.(await app.listen({ host: "127.0.0.1", port: 0 }));
