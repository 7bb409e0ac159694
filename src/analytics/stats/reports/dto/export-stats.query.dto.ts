import { OmitType } from '@nestjs/swagger';
import { ChoiceField } from '../../../../http/validation/fields.js';
import { type CsvSeparator } from '../../../../lib/formats/csv.js';
import { SeparatorField } from '../../../../http/responses/csv-file.js';
import { BUCKET_UNITS, type BucketUnit } from '../stats-buckets.js';
import { MAX_HOURLY_DAYS } from '../stats-query.js';
import { ComparisonQuery } from './comparison.query.dto.js';

const OF_COMPARISONS = ['compare', 'compareFrom', 'compareTo', 'granularity'] as const;

/** Which figures to export. */
export class ExportStatsQuery extends OmitType(ComparisonQuery, OF_COMPARISONS) {
  @ChoiceField({
    optional: true,
    oneOf: BUCKET_UNITS,
    description: `What a line is for; the default is \`day\`. \`hour\` is for at most ${MAX_HOURLY_DAYS} days.`,
    default: 'day',
    example: 'day',
  })
  granularity: BucketUnit = 'day';

  @SeparatorField()
  separator?: CsvSeparator;
}
