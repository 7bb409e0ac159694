import { type Doc, type Maybe, type Value } from '../values/types.js';
import { type Work } from './work.js';

/** What a command gives to its expressions. */
export interface Env {
  /** `$$NOW`: one moment for the whole command. */
  readonly now: Date;
  /** The variables of the command's `let`. */
  readonly vars: ReadonlyMap<string, Maybe>;
  /** Bounds what its expressions cost. */
  readonly work: Work;
}

/** What an expression is evaluated against. */
export interface Scope {
  readonly root: Maybe;
  readonly current: Maybe;
  readonly vars: ReadonlyMap<string, Maybe>;
}

/** A compiled expression; `undefined` is MongoDB's "missing". */
export type Evaluate = (scope: Scope) => Maybe;

/** Compiles an expression, see `expression.ts`; operators that hold expressions are given it. */
export type CompileExpression = (source: Value, env: Env, names: ReadonlySet<string>) => Evaluate;

/** Documents on their way; an `undefined` among them is a moment at which the reader may let others have their turn. */
export type Stream = Iterable<Doc | undefined>;

/** What the stages need besides their input. */
export interface PipelineContext {
  readonly env: Env;
  /** The documents of another collection of the same database that match the filter, found by index where there is one. */
  find(collection: string, filter: Doc): Stream;
}

/** What a stage does to the documents that come to it. */
export type Stage = (source: Stream) => Stream;

/** Compiles stages, see `pipeline.ts`; stages that hold pipelines are given it. */
export type CompilePipeline = (stages: Value, context: PipelineContext) => Stage;
