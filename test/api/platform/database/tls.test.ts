import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import { beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { describeOutage } from "../../../../api/platform/database/outage.ts";
import { type Db, openDatabase } from "../../../../api/platform/database/pool.ts";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { privateDatabaseAddress } from "../../../../nginx/local/private-database.ts";
import { startDatabase } from "../../../database.ts";
import { makeDatabaseFolder, stopDatabase } from "../../../global-setup.ts";
import { openMigratedDatabase } from "../../api.ts";
import { startProxy } from "./proxy.ts";
import { sessionValues } from "./session-values.ts";

const folder = makeDatabaseFolder();
const port = await findFreePort();
const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
const inFolder = (name: string) => join(folder, name);

/** Makes an authority's key and certificate: `name.key` and `name.pem`. */
function makeAuthority(name: string): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", `${name}.key`];
  openssl("req", "-x509", ...key, "-out", `${name}.pem`, "-subj", `/CN=${name}`, "-days", "2");
}

/** Makes the server's certificate for a host, signed by the authority "ours". */
function certify(host: string): void {
  openssl("req", "-new", "-key", "server.key", "-out", "server.csr", "-subj", `/CN=${host}`);
  execFileSync("sh", ["-c", `printf 'subjectAltName=DNS:${host}' > san`], { cwd: folder });
  const signed = ["-CA", "ours.pem", "-CAkey", "ours.key", "-CAcreateserial", "-extfile", "san", "-days", "2"];
  openssl("x509", "-req", "-in", "server.csr", "-out", "server.pem", ...signed);
}

beforeAll(async () => {
  makeAuthority("ours");
  makeAuthority("other");
  openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "server.key");
  certify("localhost");
  const server = await startDatabase(folder, [
    "--skip-networking=OFF",
    "--bind-address=127.0.0.1",
    `--port=${port}`,
    // A MySQL loads no certificate anew that it can't verify.
    `--ssl-ca=${inFolder("ours.pem")}`,
    `--ssl-cert=${inFolder("server.pem")}`,
    `--ssl-key=${inFolder("server.key")}`,
  ]);
  return async () => {
    await stopDatabase(server);
    await rm(folder, { recursive: true });
  };
});

/** The cipher of a connection; empty when it isn't encrypted. */
const cipherOf = async (db: Db): Promise<string> => String(await sessionValues(db, "session_status", "ssl_cipher"));

/** The cipher of a connection with these parameters, or why there is none. */
async function connect(parameters: string, host = "localhost"): Promise<string> {
  const url = `mysql://root@${host}:${port}/twinfront?${parameters}`;
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: url }));
  onTestFinished(() => db.destroy());
  return cipherOf(db).catch((error: unknown) => describeOutage(error) ?? String(error));
}

const CIPHER = /^TLS_/;
const ours = `ssl-ca=${inFolder("ours.pem")}`;
const other = `ssl-ca=${inFolder("other.pem")}`;

test("ssl-mode encrypts the connection, and with the server's own authority and name each mode accepts it", async () => {
  expect(await connect("")).toBe("");
  expect(await connect("ssl-mode=required")).toMatch(CIPHER);
  expect(await connect(`ssl-mode=verify-ca&${ours}`, "127.0.0.1")).toMatch(CIPHER);
  expect(await connect(`ssl-mode=verify-identity&${ours}`)).toMatch(CIPHER);
});

test("a certificate of another authority is refused by both verifying modes, also without ssl-ca", async () => {
  for (const parameters of [`verify-ca&${other}`, `verify-identity&${other}`, "verify-ca"])
    expect(await connect(`ssl-mode=${parameters}`)).toMatch(
      /^The server in DATABASE_URL has no certificate that ssl-mode accepts: (self-signed|unable to)/,
    );
});

test("a server without TLS is refused with a clear message instead of plain text", async () => {
  const { url } = await openMigratedDatabase();
  const through = await startProxy(url);
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: `${through.url}?ssl-mode=required` }));
  onTestFinished(() => db.destroy());
  const error: unknown = await cipherOf(db).catch((reason: unknown) => reason);
  expect(describeOutage(error)).toBe("The server in DATABASE_URL doesn't offer TLS, which ssl-mode requires.");
});

describe("after the server got a certificate for another host", () => {
  beforeAll(async () => {
    certify("db.example");
    const { socketPath } = privateDatabaseAddress(folder);
    const connection = await createConnection({ socketPath, user: "root" });
    await connection.query(inject("privateServer") === "MariaDB" ? "flush ssl" : "alter instance reload tls");
    await connection.end();
  });

  test("verify-identity refuses it, and verify-ca doesn't", async () => {
    expect(await connect(`ssl-mode=verify-identity&${ours}`)).toBe(
      "The server in DATABASE_URL has no certificate that ssl-mode accepts: Hostname/IP does not match certificate's altnames.",
    );
    expect(await connect(`ssl-mode=verify-ca&${ours}`)).toMatch(CIPHER);
  });
});
