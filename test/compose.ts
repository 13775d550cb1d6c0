import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export const CONTAINERS = join(import.meta.dirname, "../nginx/production/containers");

interface Service {
  image: string;
  /** Of the image, if there is none. */
  command?: string[];
  build?: { dockerfile: string; args: Record<string, string> };
  environment: Record<string, string>;
  read_only: boolean;
  tmpfs: string[];
  cap_drop?: string[];
  security_opt?: string[];
  user?: string;
  ports?: string[];
  volumes?: string[];
  network_mode?: string;
  stop_grace_period?: string;
  healthcheck?: { test: string[] };
}

/** compose.yaml, with its anchors resolved. */
export const readCompose = (): { name: string; services: Record<string, Service>; volumes: Record<string, unknown> } =>
  parse(readFileSync(join(CONTAINERS, "compose.yaml"), "utf8"), { merge: true });

/** The services that run the shop's own image. */
export const shopServices = () =>
  Object.entries(readCompose().services).filter(([, { image }]) => image === "twinfront");
