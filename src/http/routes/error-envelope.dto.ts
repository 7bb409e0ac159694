import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type ErrorBody } from '../../domain/errors/error-envelope.js';
import { TimestampField } from '../validation/fields.js';

@ApiSchema({ description: 'The body of every error response.' })
export class ErrorEnvelope implements ErrorBody {
  @ApiProperty({ type: 'boolean', example: false, description: 'Always false.' })
  success!: false;

  @ApiProperty({ type: 'integer', minimum: 400, maximum: 599, example: 404, description: 'The HTTP status.' })
  statusCode!: number;

  @ApiProperty({
    type: 'string',
    example: 'There is no such shop',
    description: 'One sentence that explains the error.',
  })
  error!: string;

  @TimestampField({ description: 'When the error happened (UTC).', example: '2026-11-21T12:00:00.000Z' })
  timestamp!: string;

  @ApiProperty({
    type: 'string',
    example: '/api/v2/shops/655f1c2ab1e4a9d3f0c81234/team',
    description: 'The path of the request. Anything in it that could be a secret is replaced.',
  })
  path!: string;
}
