import { ApiSchema } from '@nestjs/swagger';
import { IdField, IntegerField, StringField, TimestampField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'A request with a credential of the shop that was rejected.' })
export class RejectedRequestDto {
  @TimestampField({ description: 'When it was rejected.', example: '2026-11-21T12:00:00.000Z' })
  at!: string;

  @StringField({ maxLength: 10, description: 'Its method.', example: 'POST' })
  method!: string;

  @StringField({
    maxLength: 200,
    description: 'The template of its route, without the values of its path.',
    example: '/deliveries/{shopId}/lease',
  })
  route!: string;

  @IntegerField({ minimum: 400, maximum: 499, description: 'The status of the response.', example: 403 })
  status!: number;

  @StringField({
    maxLength: 60,
    description: 'The code of the error, as in `X-Error-Code`.',
    example: 'permission_missing',
  })
  code!: string;

  @StringField({
    maxLength: 64,
    description: 'As in `X-Request-Id`: the log of the operator has it too.',
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  })
  requestId!: string;

  @IdField({
    nullable: true,
    description: 'The API key that sent it; null: a person.',
    example: '655f1c2ab1e4a9d3f0c81240',
  })
  keyId!: string | null;
}
