import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, IdField, StringField, TimestampField } from '../../../http/validation/fields.js';
import { SALE_STATES, type SaleState } from '../sale.types.js';
import { SaleFields } from './sale-fields.dto.js';

@ApiSchema({ description: 'A sale of a shop.' })
export class SaleDto extends SaleFields {
  @IdField({ description: 'Identifier of the sale.', example: '655f1c2ab1e4a9d3f0c812a0' })
  id!: string;

  @ChoiceField({ oneOf: SALE_STATES, description: 'Whether it is planned, runs or has ended.', example: 'running' })
  state!: SaleState;

  @StringField({ maxLength: 3, description: 'ISO 4217 code of the amount.', example: 'EUR' })
  currency!: string;

  @TimestampField({ description: 'When it was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}
