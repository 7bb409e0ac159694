import { type Index } from '../storage/indexes.js';

/** A range of an index that is read. */
export interface KeyRange {
  readonly from: Buffer;
  readonly to: Buffer;
  /** How many bytes of its keys are the values of the fields that have one value in the whole range. */
  readonly prefix: number;
}

/** How documents are found: through an index, through several (`$or`), or by reading all of them. */
export interface Plan {
  readonly index?: Index;
  /** The ranges of the index that are read, in its order. */
  readonly ranges: readonly KeyRange[];
  readonly reverse: boolean;
  /** Whether the rows come in the order of the query's sort. */
  readonly sorted: boolean;
  /** Whether the ranges must be read side by side for this order: each of them alone has it. */
  readonly sideBySide?: boolean;
  /** Whether each range begins with the whole key of a unique index, so that one read finds its entry. */
  readonly lookup?: boolean;
  /** Whether every row of the index matches, so that the filter need not be checked. */
  readonly exact: boolean;
  /** The plans of an `$or`'s clauses. */
  readonly either?: readonly Plan[];
}

/** A plan to choose from. */
export interface Candidate {
  readonly plan: Plan;
  /** How many of its fields limit what is read. */
  readonly bounded: number;
}
