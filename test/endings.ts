type Ending = () => Promise<void> | void;

const endings: Ending[] = [];
let underWay: Promise<void> | undefined;

/** Has `ending` run when grading or a part of the bench is over, however it ends: what came last goes first. */
export function atEnd(ending: Ending): void {
  endings.push(ending);
}

/** Runs every ending once; a call while they run waits for them. */
export function endAll(): Promise<void> {
  underWay ??= (async () => {
    for (let ending = endings.pop(); ending; ending = endings.pop()) await ending();
  })().finally(() => {
    underWay = undefined;
  });
  return underWay;
}
