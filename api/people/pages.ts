import type { PrivatePage } from "../platform/private-pages/page.ts";
import { problemMarkdown, problemPage } from "../platform/private-pages/problem-page.ts";
import { accountPage, findPage, orderPage } from "./account/views.ts";
import { basketPage, buyMarkdown, buyPage } from "./basket/views.ts";
import { checkoutPage, outcomePage, reviewPage } from "./checkout/views.ts";
import { counterMarkdown, counterPage } from "./counter/views.ts";
import { versionFault } from "./product/views.ts";
import { searchMarkdown, searchPage } from "./search/views.ts";

/** Every private page, so that templates are checked against all of them before any is shown. */
export const pages: readonly PrivatePage[] = [
  checkoutPage,
  outcomePage,
  problemPage,
  problemMarkdown,
  reviewPage,
  basketPage,
  buyPage,
  buyMarkdown,
  counterPage,
  counterMarkdown,
  orderPage,
  accountPage,
  findPage,
  searchPage,
  searchMarkdown,
  versionFault,
];
