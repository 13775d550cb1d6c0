import { test } from "vitest";
import { expectOneLineEach, useCms } from "../site/admin/cms-browser.ts";
import { filesOf } from "../site/admin/repository.ts";
import { shops } from "../workspace.ts";

useCms();

test("20 entries of every kind are opened and saved in Sveltia, and a changed title is one line each", async () => {
  const entries = [
    "barcode-scanners/quillon-dot",
    "barcode-scanners/tavrel-t40-cordless",
    "pos-terminals/marlstead-harbour-15",
    "pos-terminals/ostrey-plover-12",
    "accessories/ferncote-cleaning-cards",
    "receipt-printers/pellcott-r80",
    "cash-drawers/brackwell-b46",
    "biometric-devices/halden-gate-turn",
    "label-printers/aldersyde-t4",
    "categories/receipt-printers",
    "categories/accessories",
    "guides/choosing-a-barcode-scanner",
    "guides_mdx/fitting-out-a-counter",
    "guides_mdx/opening-a-cash-drawer",
    "pages/home",
    "pages/support",
    "pages/terms",
    "pages_mdx/developers",
    "mails/order_received",
    "shop/store",
  ];
  await expectOneLineEach(entries, filesOf(shops.demo));
}, 1_200_000);
