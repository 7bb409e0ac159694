import { type OrderCursor } from '../../../orders/ledger/ledger.types.js';
import { type Transitions } from '../../../lib/states/transitions.js';

/**
 * The phases of the rollups of a shop. `clearing`: old ones are deleted. `reading`: the ledger is compared with the orders, and
 * gets what it lacks. `folding`: the entries of the ledger are added to the rollups. `ready`: the rollups are complete, but for the pending entries.
 */
export const ROLLUP_PHASES = ['clearing', 'reading', 'folding', 'ready'] as const;
export type RollupPhase = (typeof ROLLUP_PHASES)[number];

export const ROLLUP_TRANSITIONS: Transitions<RollupPhase> = {
  clearing: ['reading'],
  reading: ['folding'],
  folding: ['ready'],
  ready: ['clearing'],
};

/** A shop without rollups has nothing to delete. */
export const FIRST_PHASE: RollupPhase = 'reading';

export const UNFINISHED: readonly RollupPhase[] = ['clearing', 'reading', 'folding'];

/** The state of the rollups of a shop. */
export interface RollupState {
  readonly phase: RollupPhase;
  /** The last order that a rebuild has read; null when it has read none. */
  readonly cursor: OrderCursor | null;
  /** How many buyers have a number. */
  readonly buyers: number;
}
