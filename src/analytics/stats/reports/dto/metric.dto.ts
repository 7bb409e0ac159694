import { ApiSchema } from '@nestjs/swagger';
import { NumberField } from '../../../../http/validation/fields.js';

const ANY = { minimum: -1e15, maximum: 1e15, maxDecimalPlaces: 4 } as const;
const PERCENT =
  'The change in percent of the size of the earlier value, with two decimals and the sign of the change; null when the ' +
  'earlier value is 0.';

@ApiSchema({ description: 'A figure and the earlier one.' })
export class MetricDto {
  @NumberField({ ...ANY, description: 'The value of the period.', example: 1249.5 })
  current!: number;

  @NumberField({ ...ANY, description: 'The value of the earlier period.', example: 999.6 })
  previous!: number;

  @NumberField({ ...ANY, description: '`current` minus `previous`.', example: 249.9 })
  change!: number;

  @NumberField({ ...ANY, nullable: true, description: PERCENT, example: 25 })
  changePercent!: number | null;
}

@ApiSchema({ description: 'A figure that not every period has, and the earlier one.' })
export class RatioMetricDto {
  @NumberField({
    ...ANY,
    nullable: true,
    description: 'The value of the period; null when it has none.',
    example: 0.82,
  })
  current!: number | null;

  @NumberField({
    ...ANY,
    nullable: true,
    description: 'The value of the earlier period; null when it has none.',
    example: 0.8,
  })
  previous!: number | null;

  @NumberField({
    ...ANY,
    nullable: true,
    description: '`current` minus `previous`; null when one of them is null.',
    example: 0.02,
  })
  change!: number | null;

  @NumberField({ ...ANY, nullable: true, description: PERCENT, example: 2.5 })
  changePercent!: number | null;
}
