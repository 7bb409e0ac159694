import { type Doc, type Maybe, type Value } from '../values/types.js';
import { type Work } from './work.js';

/** The values that a command gives to its expressions. */
export interface Env {
  /** `$$NOW`: one moment for the whole command. */
  readonly now: Date;
  /** The variables of the command's `let`. */
  readonly vars: ReadonlyMap<string, Maybe>;
  /** Bounds what its expressions cost. */
  readonly work: Work;
}

/** The environment in which an expression is evaluated. */
export interface Scope {
  readonly root: Maybe;
  readonly current: Maybe;
  readonly vars: ReadonlyMap<string, Maybe>;
}

/** A compiled expression; `undefined` is MongoDB's "missing". */
export type Evaluate = (scope: Scope) => Maybe;

/** Compiles an expression, see `expression.ts`; operators that contain expressions get it as an argument. */
export type CompileExpression = (source: Value, env: Env, names: ReadonlySet<string>) => Evaluate;

/** A stream of documents; an `undefined` among them is a moment at which the reader may let other commands run. */
export type Stream = Iterable<Doc | undefined>;

/** What the stages need besides their input. */
export interface PipelineContext {
  readonly env: Env;
  /** The documents of another collection of the same database that match the filter, found by an index if there is one. */
  find(collection: string, filter: Doc): Stream;
}

/** A compiled stage: converts a stream of documents into another. */
export type Stage = (source: Stream) => Stream;
