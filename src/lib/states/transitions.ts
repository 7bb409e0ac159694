/** A state machine as data: each state with the states that may follow it. */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>;

/** Whether a table allows a transition. Staying in the same state is always allowed. */
export function canMove<State extends string>(table: Transitions<State>, from: State, to: State): boolean {
  return from === to || table[from].includes(to);
}

/**
 * The states from which a table allows a transition to `to`, for the filter of a conditional write:
 * `{ state: { $in: statesBefore(REDEMPTION_TRANSITIONS, 'redeemed') } }`.
 */
export function statesBefore<State extends string>(table: Transitions<State>, to: State): State[] {
  return (Object.keys(table) as State[]).filter((from) => table[from].includes(to));
}
