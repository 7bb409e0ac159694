import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, IdField, StringField, TimestampField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'The nickname of an order before and after its change.' })
export class NicknameChangeDto {
  @IdField({ description: 'The order.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId!: string;

  @StringField({ maxLength: 32, description: 'The nickname before the change.', example: 'Steve_42' })
  previousNickname!: string;

  @StringField({ maxLength: 32, description: 'The nickname after the change.', example: 'Alex_42' })
  nickname!: string;

  @TimestampField({ description: 'When the nickname was changed.', example: '2026-11-21T12:00:00.000Z' })
  changedAt!: string;
}

@ApiSchema({ description: 'The response to every request for a verification code.' })
export class CodeRequestedDto {
  @ChoiceField({
    oneOf: ['accepted'],
    description: 'Always the same, whether the order exists or not.',
    example: 'accepted',
  })
  status!: 'accepted';
}
