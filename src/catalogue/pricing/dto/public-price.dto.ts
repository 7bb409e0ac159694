import { ApiSchema } from '@nestjs/swagger';
import { IdField, MoneyField, TimestampField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'What everybody paid for a product in an interval.' })
export class PublicPriceDto {
  @TimestampField({ description: 'When it began.', example: '2026-11-27T00:00:00.000Z' })
  from!: string;

  @TimestampField({
    nullable: true,
    description: 'The first moment at which it no longer applied, or will not; null: no end.',
    example: '2026-11-30T00:00:00.000Z',
  })
  until!: string | null;

  @MoneyField({ description: 'The price of a unit, in major units.', example: 7.49 })
  price!: number;

  @IdField({
    nullable: true,
    description: 'The sale that reduced it; null: none.',
    example: '655f1c2ab1e4a9d3f0c812a0',
  })
  saleId!: string | null;
}
