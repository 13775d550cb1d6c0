import { type CollectionEntry, getCollection } from "astro:content";
import { latestDay } from "./last-changed.ts";

/** A page of text: of content/, or one about the API, to which the shop may have added a text. */
export type TextPage =
  | CollectionEntry<"pages">
  | (CollectionEntry<"developers"> & { added?: CollectionEntry<"pages"> });

/** All pages of text, the home page too, by their names. */
export async function readTextPages(): Promise<TextPage[]> {
  const [pages, developers] = await Promise.all([getCollection("pages"), getCollection("developers")]);
  const ofProgram = developers.map((page): TextPage => {
    const added = pages.find(({ id }) => id === page.id);
    if (added === undefined) return page;
    const updated = latestDay([added.data.updated, page.data.updated]) ?? page.data.updated;
    return { ...page, data: { ...added.data, updated }, added };
  });
  const own = pages.filter(({ id }) => developers.every((page) => page.id !== id));
  return [...own, ...ofProgram].sort((one, other) => one.id.localeCompare(other.id));
}
