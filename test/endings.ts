type Ending = () => Promise<void> | void;

const endings: Ending[] = [];
let ended: Promise<void> | undefined;

/** Has `ending` run when grading is over, however it ends: what came last goes first. */
export function atEnd(ending: Ending): void {
  endings.push(ending);
}

/** Runs every ending once; a second call waits for the first. */
export function endAll(): Promise<void> {
  ended ??= (async () => {
    for (const ending of endings.reverse()) await ending();
  })();
  return ended;
}
