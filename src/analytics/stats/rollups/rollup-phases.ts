import { type OrderCursor } from '../../../orders/ledger/ledger.types.js';
import { type Transitions } from '../../../lib/states/transitions.js';

/**
 * The phases of the sums of a shop. `reading`: a rebuild writes sums of the next version, order by order; those that are read stay as they are.
 * `clearing`: the new sums are read, and the old ones are deleted. `ready`: pending entries of the ledger are added to the sums.
 */
export const ROLLUP_PHASES = ['reading', 'clearing', 'ready'] as const;
export type RollupPhase = (typeof ROLLUP_PHASES)[number];

export const ROLLUP_TRANSITIONS: Transitions<RollupPhase> = {
  reading: ['clearing'],
  clearing: ['ready'],
  ready: ['reading'],
};

export const UNFINISHED: readonly RollupPhase[] = ['reading', 'clearing'];

/** The sums of a shop that belong together: those that are read, or those that a rebuild writes. */
export interface SumsVersion {
  readonly shopId: string;
  readonly version: number;
}

/** The state of the sums of a shop. */
export interface RollupState extends SumsVersion {
  readonly phase: RollupPhase;
  /** The last order that a rebuild has read; null when it has read none. */
  readonly cursor: OrderCursor | null;
  /** How many buyers have a number in the sums that are being written. */
  readonly buyers: number;
}
