import Type, { type Static } from "typebox";

const text = Type.String();

/** When something happened: RFC 3339, and its hour and minute in UTC. */
export const MomentView = Type.Object({ at: text, clock: text });

export const viewMoment = (at: string): Static<typeof MomentView> => ({ at, clock: at.slice(11, 16) });
