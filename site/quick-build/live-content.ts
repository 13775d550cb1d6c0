import type { LoaderContext } from "astro/loaders";
import { importAstro } from "./astro-modules.ts";
import { announceVariable, shareContent } from "./content-store.ts";

type Store = LoaderContext["store"];

/** Shared with `contentStore()`, for which Astro makes another instance of this module. */
const shared = globalThis as { [announceVariable]?: () => void };

/**
 * For the dev server: keeps a collection in memory from `begin()` on, which is called once it is loaded, so that a saved text is on
 * its page at once. Astro would first write all content to its file and read it again, many seconds for 10,000 products. Its file gets
 * what has been saved when it next starts.
 */
export function keepLive(context: LoaderContext): { context: LoaderContext; begin: () => Promise<void> } {
  let current = context.store;
  // A loader keeps the object that it is given.
  const store: Store = {
    ...current,
    get: (id) => current.get(id),
    set: (entry) => current.set(entry),
    delete: (id) => current.delete(id),
  };
  const begin = async () => {
    current = await openLive(context);
  };
  return { context: { ...context, store }, begin };
}

async function openLive(context: LoaderContext): Promise<Store> {
  const { collection, store } = context;
  const { MutableDataStore } = await importAstro("content/mutable-data-store.js");
  const content = shareContent(context);
  // Without a file, so it writes nothing.
  const live: Store = (await MutableDataStore.fromMap(content)).scopedStore(collection);
  const picturesOf = (id: string) => content.get(collection)?.get(id)?.assetImports?.join();
  return {
    ...live,
    set(entry) {
      const [isNew, before] = [!live.has(entry.id), picturesOf(entry.id)];
      // Each `set` takes Astro's marks off the pictures.
      const isChanged = live.set(structuredClone(entry));
      // Pages need Astro's lists of pictures and components first. It writes them with its file, and announces that itself.
      if (isNew || picturesOf(entry.id) !== before) store.set(entry);
      else if (isChanged) shared[announceVariable]?.();
      return isChanged;
    },
    delete(id) {
      live.delete(id);
      store.delete(id);
    },
  };
}
