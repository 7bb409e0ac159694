import { Injectable } from '@nestjs/common';
import { type Aggregate, type mongo, type PipelineStage } from 'mongoose';
import { SECOND_MS } from '../../lib/time/durations.js';

/** One value of a gauge, with a value for each of its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a gauge of the metrics shows. */
export interface TotalGauge {
  readonly help: string;
  readonly labels: readonly string[];
}

/**
 * Numbers that a feature has about all shops together, for the operator only.
 * Each read uses one range of an index: a page of metrics is read every few seconds.
 */
export interface Totals<Name extends string = string> {
  /** By their names, without the prefix of the service. */
  readonly gauges: Readonly<Record<Name, TotalGauge>>;
  /** @param maxTimeMS the time limit of each query */
  read(now: Date, maxTimeMS: number): Promise<Readonly<Record<Name, readonly Sample[]>>>;
}

/** The numbers of all features. A feature adds its own when its module is made. */
@Injectable()
export class TotalsRegistry {
  private readonly totals: Totals[] = [];

  get all(): readonly Totals[] {
    return this.totals;
  }

  add(totals: Totals): void {
    this.totals.push(totals);
  }
}

/** A model of any records. */
interface Records {
  aggregate<Row>(pipeline: PipelineStage[]): Aggregate<Row[]>;
}

/**
 * Groups records of all shops.
 * @param labels the label names, and the field or expression that has the value of each
 * @param values the accumulators of the other fields of a row
 */
export function grouped<Values extends object, Label = string>(
  records: Records,
  match: PipelineStage.Match['$match'],
  labels: Readonly<Record<string, unknown>>,
  values: Readonly<Record<keyof Values, mongo.Document>>,
  maxTimeMS: number,
): Promise<(Values & { readonly labels: Readonly<Record<string, Label>> })[]> {
  return records
    .aggregate<Values & { readonly labels: Readonly<Record<string, Label>> }>([
      { $match: match },
      { $group: { _id: labels, ...values } },
      { $set: { labels: '$_id' } },
      { $unset: '_id' },
    ])
    .option({ maxTimeMS })
    .exec();
}

/** How many records match, by their labels. @param each what one record counts */
export function counts(
  records: Records,
  match: PipelineStage.Match['$match'],
  labels: Readonly<Record<string, unknown>>,
  maxTimeMS: number,
  each: unknown = 1,
): Promise<Sample[]> {
  return grouped<Pick<Sample, 'value'>>(records, match, labels, { value: { $sum: each } }, maxTimeMS);
}

/** Never negative: the clock of another process may be ahead. */
export function ageInSeconds(of: Date, now: Date): number {
  return Math.max(0, now.getTime() - of.getTime()) / SECOND_MS;
}

/** The ages of groups by their oldest record, in seconds. */
export function ages(groups: readonly (Pick<Sample, 'labels'> & { readonly oldestAt: Date })[], now: Date): Sample[] {
  return groups.map(({ labels, oldestAt }) => ({ labels, value: ageInSeconds(oldestAt, now) }));
}
