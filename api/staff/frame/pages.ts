import type { PrivatePage } from "../../platform/private-pages/page.ts";
import { staffOrderPages } from "../order/views.ts";
import { orderListPage } from "../order-list/views.ts";
import { stockPages } from "../stock/views.ts";
import { homePage, refusedPage, staffProblemPage } from "./views.ts";

/** Every page of /admin that the API makes, so that templates are checked against all of them before any is shown. */
export const staffPages: readonly PrivatePage[] = [
  homePage,
  refusedPage,
  staffProblemPage,
  orderListPage,
  ...staffOrderPages,
  ...stockPages,
];
