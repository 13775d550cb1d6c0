import Type from "typebox";
import { RIGHTS } from "../../contract/staff-rights.ts";
import { wordOf } from "../../platform/private-pages/page.ts";
import { problemPage } from "../../platform/private-pages/problem-page.ts";

/** The start page of /admin, which leads to all that its reader may open. */
export const homePage = {
  template: "staff/home",
  view: Type.Object({ name: Type.String() }),
};

/** Instead of a page that its reader may not open. The build also makes it for nginx, which asks for `content` itself. */
export const refusedPage = {
  template: "staff/refused",
  view: Type.Object({ right_word: wordOf("staff.refused", RIGHTS) }),
};

export const staffProblemPage = { template: "staff/problem", view: problemPage.view };
