// The packages have no types. These cover what we use, by their READMEs.
declare module "turndown" {
  export default class TurndownService {
    constructor(options: { headingStyle: "atx"; codeBlockStyle: "fenced" });
    use(plugin: (service: TurndownService) => void): this;
    turndown(html: string): string;
  }
}

declare module "turndown-plugin-gfm" {
  import type TurndownService from "turndown";

  export const gfm: (service: TurndownService) => void;
}
