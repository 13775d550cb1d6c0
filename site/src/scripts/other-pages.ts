// The pages of a category that aren't shown: a list and a comparison have the paths of those before and after them.

/** Fetches the other pages of a list, and returns those before it and those after it. Fails if one can't be fetched. */
export const fetchOtherPages = ({ dataset: { before, after } }: HTMLElement): Promise<[Document[], Document[]]> =>
  Promise.all([fetchAll(before), fetchAll(after)]);

/** Whether a list has other pages. */
export const hasOtherPages = ({ dataset: { before, after } }: HTMLElement): boolean => Boolean(before || after);

const fetchAll = (paths = ""): Promise<Document[]> =>
  Promise.all(
    paths
      .split(" ")
      .filter((path) => path !== "")
      .map(async (path) => {
        const answer = await fetch(path);
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
        return new DOMParser().parseFromString(await answer.text(), "text/html");
      }),
  );
