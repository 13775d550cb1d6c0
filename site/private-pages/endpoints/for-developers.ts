/** Whether a page is for programmers: its words are those of customers' questions too, and it doesn't answer them. */
export const isForDevelopers = ({ id }: { id: string }): boolean => /^developers\b/.test(id);
