import { ChoiceField, IdField, TextField } from '../../common/validation/fields.js';

export class NicknameChangeDto {
  @IdField({ description: 'The order.', example: '655f1c2ab1e4a9d3f0c81250' })
  orderId!: string;

  @TextField({ maxLength: 32, description: 'The nickname before.', example: 'Steve_42' })
  previousNickname!: string;

  @TextField({ maxLength: 32, description: 'The nickname now.', example: 'Alex_42' })
  nickname!: string;

  @TextField({
    maxLength: 24,
    format: 'date-time',
    description: 'When it was changed.',
    example: '2026-11-21T12:00:00.000Z',
  })
  changedAt!: string;
}

export class CodeRequestedDto {
  @ChoiceField({
    oneOf: ['accepted'],
    description: 'Always the same, whether or not there is such an order.',
    example: 'accepted',
  })
  status!: 'accepted';
}
