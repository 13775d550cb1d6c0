import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "../../../nginx/local/child-process.ts";
import { apiProgram } from "../../../nginx/local/services.ts";
import { interleave } from "../rounds.ts";
import { type Findings, median } from "../row.ts";
import { writeProducts } from "./catalogue.ts";
import type { BenchDatabase } from "./database.ts";

const SIZES = [1_000, 3_000, 10_000] as const;

/** Times the import of catalogues, the whole command, into an empty table and again with nothing changed. Leaves the largest. */
export async function measureImports(database: BenchDatabase): Promise<Required<Findings>> {
  const sides: Record<number, () => Promise<Record<"fresh" | "again", number>>> = {};
  for (const products of SIZES) {
    const file = join(database.folder, `products-${products}.json`);
    writeFileSync(file, writeProducts(products));
    sides[products] = async () => {
      await database.connection.query("delete from products");
      return { fresh: await timeImport(database, file), again: await timeImport(database, file) };
    };
  }
  const times = await interleave(sides);
  const values = (products: number, which: "fresh" | "again") => times[products]?.map((time) => time[which]) ?? [];
  const row = (products: number, which: "fresh" | "again") => ({
    what: `Import of ${products.toLocaleString("en-GB")} products${which === "again" ? " again" : ""}`,
    unit: "s",
    ours: { name: "import-products.ts", values: values(products, which) },
  });
  const line = (name: string, which: "fresh" | "again") => ({
    name,
    points: SIZES.map((products) => ({ x: products, y: median(values(products, which)) })),
  });
  return {
    rows: SIZES.flatMap((products) => [row(products, "fresh"), row(products, "again")]),
    plots: [
      {
        name: "api-import",
        title: "Import of the catalogue",
        xLabel: "products",
        yLabel: "seconds",
        lines: [line("new", "fresh"), line("unchanged", "again")],
      },
    ],
  };
}

/** In seconds. */
async function timeImport({ url }: BenchDatabase, file: string): Promise<number> {
  const begin = performance.now();
  await runToEnd("The import", process.execPath, apiProgram("import-products.ts", file), {
    env: { DATABASE_URL: url },
  });
  return (performance.now() - begin) / 1000;
}
