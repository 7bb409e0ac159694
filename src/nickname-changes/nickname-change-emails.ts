import { type Email } from '../mail/mail.service.js';
import { type NicknameChange } from './nickname-change.types.js';

/** The verification code, for the email address of the order. */
export function nicknameCodeEmail(to: string, orderId: string, code: string): Email {
  return {
    to,
    subject: 'Your code to change the nickname',
    text: `Your code to change the nickname of order ${orderId}:\n\n${code}\n\nThe code is valid for 10 minutes and works once. If you did not request it, ignore this email: the nickname stays as it is.\n`,
  };
}

/** The email about a change, to the address of the order. */
export function nicknameChangedEmail(to: string, shopName: string, change: NicknameChange): Email {
  const { orderId, previousNickname, nickname } = change;
  return {
    to,
    subject: 'The nickname of your order was changed',
    text: `The nickname of order ${orderId} was changed from ${previousNickname} to ${nickname}.\n\nIf you did not make this change, contact ${shopName}.\n`,
  };
}
