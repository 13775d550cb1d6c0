import type { ApiEnvironment } from "./api-environment.ts";
import { probeShop } from "./probe.ts";
import { printReady, step } from "./report.ts";
import { localUrl } from "./services.ts";
import type { Session } from "./session.ts";

/** Has one last look at the running shop, and says where it is. */
export async function announceShop({ settings, folder }: Session, env: ApiEnvironment): Promise<void> {
  const url = localUrl(settings);
  const product = await step("probe", () => probeShop(url, env.ERP_PULL_API_TOKEN));
  // The token made here is for this machine and shown on purpose; a token of one's own is a secret, to be put into TOKEN.
  const token = settings.token ? "$TOKEN" : env.ERP_PULL_API_TOKEN;
  printReady({ url, product, token, kept: folder.path });
}
