import type { Plot } from "../plot.ts";
import { median, type Row } from "../table.ts";
import { CONCURRENCY, PAGE, PAGE_KINDS, type PageRates } from "./order-pages.ts";

/** Rates at each number of orders, ascending. */
export type Measured = readonly (readonly [orders: number, rates: PageRates])[];

const inWords = (orders: number) => `${orders.toLocaleString("en-GB")} orders`;

/** The rows, with their bars, at the largest number of orders. */
export function toPageRows([orders, rates]: Measured[number]): Row[] {
  const side = (name: string, key: string) => ({ name, values: rates[key] ?? [] });
  const inMs = (name: string, key: string) => ({ name, values: (rates[key] ?? []).map(toMs) });
  const unit = "pages/s";
  const [byId] = PAGE_KINDS.map(({ name }) => name);
  return [
    {
      what: `Order page through HTTP, of ${inWords(orders)}`,
      unit,
      ours: side("API", "http"),
      theirs: side("raw mysql2", "raw"),
      bar: { atLeast: 0.7 },
      note: `${PAGE} orders of 3 lines, ${CONCURRENCY} at a time, 1,000 pages spread over all; mysql2 reads orders and lines, from their columns, and has rows, not JSON`,
    },
    {
      what: "… against the same as JSON, without HTTP",
      unit,
      ours: side("API", "http"),
      theirs: side("raw mysql2, stringified", "raw json"),
    },
    ...PAGE_KINDS.map(({ name }) => ({
      what: `Last page against first, ${name}`,
      unit: "ms",
      ours: inMs("last", `last ${name}`),
      theirs: inMs("first", `first ${name}`),
      bar: { atMost: 1.2 },
    })),
    {
      what: "First page against OFFSET and N+1",
      unit,
      ours: side("API", `first ${byId}`),
      theirs: side("naive list", "naive first"),
      note: "the naive list gives rows as they are, by Fastify and mysql2, with 51 statements for a page",
    },
    {
      what: "Last page against OFFSET and N+1",
      unit,
      ours: side("API", `last ${byId}`),
      theirs: side("naive list", "naive last"),
    },
  ];
}

/** Milliseconds a page takes on one connection. */
const toMs = (pagesPerSecond: number) => (CONCURRENCY * 1000) / pagesPerSecond;

/** Plots of the time per page over the number of orders. */
export function toPagePlots(measured: Measured): Plot[] {
  const line = (name: string, key: string) => ({
    name,
    points: measured.map(([orders, rates]) => ({ x: orders, y: median((rates[key] ?? []).map(toMs)) })),
  });
  const [byId = "", ...others] = PAGE_KINDS.map(({ name }) => name);
  const axes = { xLabel: "orders", yLabel: `ms for a page, ${CONCURRENCY} at a time`, logarithmicX: true };
  return [
    {
      ...axes,
      name: "api-last-page",
      title: "The last page of orders, by kind",
      lines: [byId, ...others].map((name) => line(name, `last ${name}`)),
    },
    {
      ...axes,
      name: "api-first-page",
      title: "The first page of orders, by kind",
      lines: [byId, ...others].map((name) => line(name, `first ${name}`)),
    },
    {
      ...axes,
      name: "api-page-peers",
      title: "A page of orders, ours and others",
      lines: [
        line("API, first", `first ${byId}`),
        line("API, last", `last ${byId}`),
        line("naive, first", "naive first"),
        line("naive, last", "naive last"),
      ],
    },
  ];
}
