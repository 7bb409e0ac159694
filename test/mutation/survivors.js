/**
 * The mutants that may survive, in groups with one reason each. A mutant is the line before the change, `=>`, and the line
 * after it, as the run prints it. The run checks that each of them does survive.
 */
export const survivors = [
  {
    reason: 'The same behaviour: a message, a shortcut, a name that nobody holds, and a division by 1 or -1.',
    mutants: {
      'packages/embedded-mongodb/src/transactions/transaction.ts': [
        'private readonly held: string[] = []; => private readonly held: string[] = ["Stryker was here"];',
        'if (this.isOver) fail(251, \'The transaction was committed or aborted while this command was running.... => if (this.isOver) fail(251, "");',
        'if (own.length === 0) return this.snapshot.range(from, to, reverse, limit); => if (false) return this.snapshot.range(from, to, reverse, limit);',
        'return [...stored, ...added].sort((a, b) => Buffer.compare(a.key, b.key) * way).slice(0, limit); => return [...stored, ...added].sort((a, b) => Buffer.compare(a.key, b.key) / way).slice(0, limit);',
        '\'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your op... => "",',
        'const isLatest = this.disk.version === this.snapshot.version; => const isLatest = false;',
        'if (this.collection(collection.namespace) !== collection) fail(175, `collection dropped: ${collectio... => if (this.collection(collection.namespace) !== collection) fail(175, ``);',
        'if (known) known.value = value; => if (false) known.value = value;',
      ],
      'src/catalogue/discounts/discount-rules.ts': [
        'return lockOn(\'code\', shopId, codeOf(code)); => return lockOn("", shopId, codeOf(code));',
      ],
    },
  },
  {
    reason: 'The same behaviour: a comparison with null is false for every date and every amount.',
    mutants: {
      'src/access/api-keys/api-keys.repository.ts': [
        'previousKeyExpiresAt: previousKeyExpiresAt !== null && previousKeyExpiresAt > now ? previousKeyExpir... => previousKeyExpiresAt: true && previousKeyExpiresAt > now ? previousKeyExpiresAt : null,',
      ],
      'src/access/api-keys/key-verifier.service.ts': [
        'if (lastUsedAt !== null && lastUsedAt > before) return; => if (true && lastUsedAt > before) return;',
      ],
      'src/orders/bans/ban-rules.ts': [
        "...(until !== undefined && until <= now ? ['until must be in the future'] : []), => ...(true && until <= now ? ['until must be in the future'] : []),",
      ],
      'src/catalogue/discounts/discount-rules.ts': [
        'if (startsAt !== null && now < startsAt) { => if (true && now < startsAt) {',
        'if (minOrderMinor !== null && orderMinor < minOrderMinor) { => if (true && orderMinor < minOrderMinor) {',
        'if (maxUses !== null && used !== null && used >= maxUses) reasons.push(NO_USES_LEFT); => if (maxUses !== null && true && used >= maxUses) reasons.push(NO_USES_LEFT);',
      ],
      'src/catalogue/discounts/discount-input.ts': [
        "if (startsAt !== null && endsAt !== null && startsAt >= endsAt) problems.push('endsAt must be after ... => if (true && endsAt !== null && startsAt >= endsAt) problems.push('endsAt must be after startsAt');",
      ],
      'src/shops/memberships/memberships.service.ts': [
        'if (lastActiveAt !== null && lastActiveAt > before) return; => if (true && lastActiveAt > before) return;',
      ],
    },
  },
  {
    reason: 'The same behaviour: an entry that is no state allows no move.',
    mutants: {
      'src/delivery/deliveries/follow-ups.ts': [
        'unclear: { failed: [], delivered: [] }, => unclear: { failed: ["Stryker was here"], delivered: [] },',
        'unclear: { failed: [], delivered: [] }, => unclear: { failed: [], delivered: ["Stryker was here"] },',
      ],
      'src/payments/payments/payment.types.ts': ['created: [], => created: ["Stryker was here"],'],
      'src/orders/reservations/redemption.types.ts': ['redeemed: [], => redeemed: ["Stryker was here"],'],
      'src/payments/refunds/refund.types.ts': ['failed: [], => failed: ["Stryker was here"],'],
    },
  },
  {
    reason: 'Costs a read, a write or time, and changes no result.',
    mutants: {
      'src/access/auth/sessions.service.ts': [
        'const session = sessionId === null ? null : await this.sessions.findLive(sessionId, now); => const session = false ? null : await this.sessions.findLive(sessionId, now);',
        'if (sessionId !== null) await this.revoke(sessionId, new Date()); => if (true) await this.revoke(sessionId, new Date());',
      ],
      'src/infrastructure/database/sharded-counters.ts': [
        'if (subjectIds.length === 0) return sums; => if (false) return sums;',
      ],
      'src/delivery/deliveries/abandoned-deliveries.repository.ts': [
        'if (records.length > 0) { => if (records.length >= 0) {',
        'if (records.length > 0) { => if (true) {',
        'if (records.length > 0) { => if (true) {',
        'if (records.length > 0) { => if (records.length >= 0) {',
      ],
      'src/catalogue/discounts/discounts.repository.ts': [
        'if (more !== 0) await this.counters.change(shopId, discountId, more, transaction); => if (true) await this.counters.change(shopId, discountId, more, transaction);',
      ],
      'src/orders/staff/order-search.repository.ts': [
        'if (given.length === 0) return []; => if (false) return [];',
        'if (nicknameKey !== undefined || buyerKey !== undefined) return [Object.fromEntries(given)]; => if (true) return [Object.fromEntries(given)];',
        'if (nicknameKey !== undefined || buyerKey !== undefined) return [Object.fromEntries(given)]; => if (false) return [Object.fromEntries(given)];',
        'if (nicknameKey !== undefined || buyerKey !== undefined) return [Object.fromEntries(given)]; => if (nicknameKey !== undefined && buyerKey !== undefined) return [Object.fromEntries(given)];',
        'if (nicknameKey !== undefined || buyerKey !== undefined) return [Object.fromEntries(given)]; => if (nicknameKey === undefined || buyerKey !== undefined) return [Object.fromEntries(given)];',
        'if (nicknameKey !== undefined || buyerKey !== undefined) return [Object.fromEntries(given)]; => if (false || buyerKey !== undefined) return [Object.fromEntries(given)];',
        'if (nicknameKey !== undefined || buyerKey !== undefined) return [Object.fromEntries(given)]; => if (nicknameKey !== undefined || buyerKey === undefined) return [Object.fromEntries(given)];',
        'if (nicknameKey !== undefined || buyerKey !== undefined) return [Object.fromEntries(given)]; => if (nicknameKey !== undefined || false) return [Object.fromEntries(given)];',
      ],
      'src/catalogue/products/products.repository.ts': [
        'const limited = products.filter(({ hasStock }) => hasStock).map(({ id }) => id); => const limited = products.map(({ id }) => id);',
      ],
    },
  },
  {
    reason: 'Cannot happen: the same transaction has just read the record, or such records are never deleted.',
    mutants: {
      'src/access/api-keys/api-keys.service.ts': [
        'const before = orNotFound(await this.keys.find(auth.userId, id, transaction), \'api_key_not_found\'); => const before = orNotFound(await this.keys.find(auth.userId, id, transaction), "");',
      ],
      'src/access/api-keys/key-revocations.service.ts': [
        'return revoked ?? orNotFound(await this.keys.findInShop(context.shopId, keyId), \'api_key_not_found\')... => return revoked ?? orNotFound(await this.keys.findInShop(context.shopId, keyId), "");',
      ],
      'src/catalogue/discounts/discounts.service.ts': [
        'const after = orNotFound(updated, \'discount_not_found\'); => const after = orNotFound(updated, "");',
      ],
      'src/shops/domains/domains.service.ts': [
        'const after = orNotFound(await this.hostnames.claim(shopId, claim, context, transaction), \'shop_not_... => const after = orNotFound(await this.hostnames.claim(shopId, claim, context, transaction), "");',
      ],
      'src/catalogue/products/categories.service.ts': [
        'const after = orNotFound(updated, \'category_not_found\'); => const after = orNotFound(updated, "");',
      ],
      'src/catalogue/products/products.service.ts': [
        'const after = orNotFound(updated, \'product_not_found\'); => const after = orNotFound(updated, "");',
      ],
      'src/catalogue/servers/servers.service.ts': [
        'const after = orNotFound(updated, \'server_not_found\'); => const after = orNotFound(updated, "");',
      ],
      'src/shops/shops/shops.service.ts': [
        'const after = orNotFound(updated, \'shop_not_found\'); => const after = orNotFound(updated, "");',
      ],
    },
  },
  {
    reason: 'Any other text does the same here.',
    mutants: {
      'src/access/api-keys/address-rules.ts': [
        "const [, address = '', digits] = SHAPE.exec(text) ?? []; => const [, address = '', digits] = SHAPE.exec(text) ?? [\"Stryker was here\"];",
        'const [, address = \'\', digits] = SHAPE.exec(text) ?? []; => const [, address = "Stryker was here!", digits] = SHAPE.exec(text) ?? [];',
        "const [plain = ''] = address?.split('%', 1) ?? []; => const [plain = \"Stryker was here!\"] = address?.split('%', 1) ?? [];",
        "const [plain = ''] = address?.split('%', 1) ?? []; => const [plain = ''] = address?.split('%', 1) ?? [\"Stryker was here\"];",
      ],
      'src/access/auth/login-attempts.service.ts': [
        "const program = (name ?? '').replace(/\\d+(?:[._]\\d+)*/g, ''); => const program = (name ?? \"Stryker was here!\").replace(/\\d+(?:[._]\\d+)*/g, '');",
        "const program = (name ?? '').replace(/\\d+(?:[._]\\d+)*/g, ''); => const program = (name ?? '').replace(/\\d+(?:[._]\\d+)*/g, \"Stryker was here!\");",
      ],
      'src/catalogue/commands/commands.service.ts': [
        'const found = ids.length === 0 ? [] : await this.lists.findByIds(shopId, [...new Set(ids)]); => const found = ids.length === 0 ? ["Stryker was here"] : await this.lists.findByIds(shopId, [...new S...',
      ],
      'src/orders/ending/order-expiry.service.ts': [
        'groupOf: ({ shopId, discountCode }) => `${shopId} ${discountCode ?? \'\'}`, => groupOf: ({ shopId, discountCode }) => `${shopId} ${discountCode ?? "Stryker was here!"}`,',
      ],
      'src/payments/payments/payment-checks.service.ts': [
        'const events = isOpen ? await this.query(payment) : []; => const events = isOpen ? await this.query(payment) : ["Stryker was here"];',
      ],
      'src/payments/providers/coinbase/coinbase-api.ts': [
        "if (checkout === null) return rejectedRefund('coinbase', 404, 'not_found'); => if (checkout === null) return rejectedRefund(\"\", 404, 'not_found');",
      ],
      'src/payments/providers/coinbase/coinbase-signature.ts': [
        "const parts = typeof header === 'string' ? header.split(',') : []; => const parts = typeof header === 'string' ? header.split(',') : [\"Stryker was here\"];",
        "const [timestamp = '', signedNames = ''] = [times[0], names[0]]; => const [timestamp = \"Stryker was here!\", signedNames = ''] = [times[0], names[0]];",
        "const [timestamp = '', signedNames = ''] = [times[0], names[0]]; => const [timestamp = '', signedNames = \"Stryker was here!\"] = [times[0], names[0]];",
      ],
      'src/payments/providers/custom/custom-events.ts': [
        "return typeof value === 'string' ? value : ''; => return typeof value === 'string' ? value : \"Stryker was here!\";",
      ],
      'src/payments/providers/mercadopago/mercadopago-events.ts': [
        "const opened = event('dispute.opened', 'date_created'); => const opened = event('dispute.opened', \"\");",
      ],
      'src/payments/providers/mercadopago/mercadopago-signature.ts': [
        "const parts = typeof signature === 'string' ? signature.split(',') : []; => const parts = typeof signature === 'string' ? signature.split(',') : [\"Stryker was here\"];",
        "const [timestamp = '', ...furtherTimestamps] = valuesOf('ts'); => const [timestamp = \"Stryker was here!\", ...furtherTimestamps] = valuesOf('ts');",
      ],
      'src/payments/providers/mollie/mollie-events.ts': [
        "['open', { type: 'payment.pending', since: 'createdAt' }], => ['open', { type: 'payment.pending', since: \"\" }],",
        "['pending', { type: 'payment.pending', since: 'createdAt' }], => ['pending', { type: 'payment.pending', since: \"\" }],",
      ],
      'src/payments/providers/mollie/mollie.provider.ts': [
        "const [id = '', ...further] = new URLSearchParams(body.toString('latin1')).getAll('id'); => const [id = \"Stryker was here!\", ...further] = new URLSearchParams(body.toString('latin1')).getAll('...",
      ],
      'src/payments/providers/paypal/paypal-signature.ts': [
        "return typeof value === 'string' ? value : ''; => return typeof value === 'string' ? value : \"Stryker was here!\";",
      ],
      'src/payments/providers/stripe/stripe.provider.ts': [
        "const parts = typeof header === 'string' ? header.split(',') : []; => const parts = typeof header === 'string' ? header.split(',') : [\"Stryker was here\"];",
        "const [timestamp = '', ...furtherTimestamps] = valuesOf('t'); => const [timestamp = \"Stryker was here!\", ...furtherTimestamps] = valuesOf('t');",
      ],
      'src/payments/accounts/credentials/webhook-secret.ts': [
        'const NO_HASH = \'\'; => const NO_HASH = "Stryker was here!";',
      ],
      'src/payments/refunds/refund-rules.ts': [
        "const own = payments.filter((event) => event.provider === provider && (event.refundId ?? '') === ref... => const own = payments.filter((event) => event.provider === provider && (event.refundId ?? \"Stryker wa...",
      ],
      'src/shops/shops/public-shops.service.ts': [
        'const host = ORIGIN.exec(origin)?.[1] ?? \'\'; => const host = ORIGIN.exec(origin)?.[1] ?? "Stryker was here!";',
      ],
    },
  },
  {
    reason: 'The same behaviour: a check that follows, or one before, says the same about this input.',
    mutants: {
      'src/access/api-keys/address-rules.ts': [
        "const mapped = range.family === 'ipv6' && MAPPED.check(range.address, 'ipv6'); => const mapped = true && MAPPED.check(range.address, 'ipv6');",
        'if (version === 0) return false; => if (false) return false;',
      ],
      'src/access/api-keys/key-revocations.service.ts': [
        "return { action: 'api_key.revoked', subjectId: id, changes: changesBetween({ revokedAt: null }, { re... => return { action: 'api_key.revoked', subjectId: id, changes: changesBetween({}, { revokedAt }) };",
      ],
      'src/access/api-keys/key-rules.ts': [
        'return new Set(withImplied(scopes.filter(isPermission)).filter((permission) => ceiling.has(permissio... => return new Set(withImplied(scopes).filter((permission) => ceiling.has(permission)));',
      ],
      'src/access/auth/login-attempts.service.ts': [
        "const program = (name ?? '').replace(/\\d+(?:[._]\\d+)*/g, ''); => const program = (name ?? '').replace(/\\d(?:[._]\\d+)*/g, '');",
        "const program = (name ?? '').replace(/\\d+(?:[._]\\d+)*/g, ''); => const program = (name ?? '').replace(/\\d+(?:[._]\\d)*/g, '');",
      ],
      'src/orders/bans/ban-rules.ts': [
        'return key === undefined || problems.length > 0 ? problems : { key }; => return false || problems.length > 0 ? problems : { key };',
      ],
      'src/domain/principal/auth-context.ts': [
        "if (serverId === undefined || !serverIds.has(serverId)) throw new AppError('server_access_denied'); => if (false || !serverIds.has(serverId)) throw new AppError('server_access_denied');",
      ],
      'src/delivery/deliveries/delivery-rules.ts': [
        'if (attempt.attempt < delivery.acknowledgedAttempt) return { accepted: false, changes: null }; => if (attempt.attempt <= delivery.acknowledgedAttempt) return { accepted: false, changes: null };',
      ],
      'src/delivery/deliveries/follow-ups.ts': [
        ': []; => : ["Stryker was here"];',
        'followUp?.deliveredAt != null && deliveredAt !== null && followUp.deliveredAt >= deliveredAt; => followUp?.deliveredAt != null && true && followUp.deliveredAt >= deliveredAt;',
      ],
      'src/orders/reservations/order-stock.service.ts': [
        'return units !== undefined && units < item.quantity ? [outOfStock(item, units)] : []; => return true && units < item.quantity ? [outOfStock(item, units)] : [];',
      ],
      'src/orders/settling/settlement-rules.ts': [
        'const latest = events .filter(({ type }) => type in BEFORE_PAYMENT) .sort(byTime) => const latest = events.filter(({ type }) => type in BEFORE_PAYMENT)',
      ],
      'src/orders/staff/staff-orders.service.ts': [
        "requireValid(from !== undefined && to !== undefined && from >= to ? ['from must be before to'] : [])... => requireValid(true && from >= to ? ['from must be before to'] : []);",
        "requireValid(from !== undefined && to !== undefined && from >= to ? ['from must be before to'] : [])... => requireValid(true && to !== undefined && from >= to ? ['from must be before to'] : []);",
        "requireValid(from !== undefined && to !== undefined && from >= to ? ['from must be before to'] : [])... => requireValid(from !== undefined && true && from >= to ? ['from must be before to'] : []);",
        "requireValid(from !== undefined && to !== undefined && from >= to ? ['from must be before to'] : [])... => requireValid(from !== undefined || to !== undefined && from >= to ? ['from must be before to'] : [])...",
      ],
      'src/payments/inbox/payment-inbox.service.ts': [
        'if (payment === null) return event; => if (false) return event;',
        'if (!isFinal(before)) await this.apply(before); => if (true) await this.apply(before);',
      ],
      'src/payments/providers/json-fields.ts': [
        "if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) { => if (false || !Number.isSafeInteger(value) || value < 0) {",
      ],
      'src/payments/providers/paypal/paypal-captures.ts': [
        "const WHOLE_UNITS = ['HUF', 'JPY', 'TWD']; => const WHOLE_UNITS = ['HUF', \"\", 'TWD'];",
      ],
      'src/payments/providers/paypal/paypal-signature.ts': [
        "} catch { throw providerUnavailable('paypal', 'returned no certificate'); } => } catch {}",
      ],
      'src/payments/providers/provider-fields.ts': [
        'export const CURRENCY = { pattern: /^[A-Z]{3}$/, says: CURRENCY_SAYS }; => export const CURRENCY = { pattern: /^[A-Z]{3}/, says: CURRENCY_SAYS };',
        'export const CURRENCY = { pattern: /^[A-Z]{3}$/, says: CURRENCY_SAYS }; => export const CURRENCY = { pattern: /[A-Z]{3}$/, says: CURRENCY_SAYS };',
      ],
      'src/payments/providers/stripe/stripe-api.ts': [
        "const isRejection = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500; => const isRejection = true && statusCode >= 400 && statusCode < 500;",
      ],
      'src/payments/providers/stripe/stripe-events.ts': [
        "const currency = object.string('currency', { pattern: /^[A-Za-z]{3}$/, says: CURRENCY_SAYS }).toUppe... => const currency = object.string('currency', { pattern: /[A-Za-z]{3}$/, says: CURRENCY_SAYS }).toUpper...",
        "const currency = object.string('currency', { pattern: /^[A-Za-z]{3}$/, says: CURRENCY_SAYS }).toUppe... => const currency = object.string('currency', { pattern: /^[A-Za-z]{3}/, says: CURRENCY_SAYS }).toUpper...",
        "const type = typeof status === 'string' && Object.hasOwn(DISPUTE_ENDS, status) ? DISPUTE_ENDS[status... => const type = true && Object.hasOwn(DISPUTE_ENDS, status) ? DISPUTE_ENDS[status] : undefined;",
      ],
      'src/accounts/second-factor/second-factor-codes.service.ts': [
        "if (step === null || step <= factor.lastStep) throw new AppError('second_factor_code_invalid'); => if (false || step <= factor.lastStep) throw new AppError('second_factor_code_invalid');",
      ],
      'src/shops/shops/shop-rules.ts': [
        'return /^[A-Za-z]/.test(text) && IANAZone.isValidZone(text); => return /[A-Za-z]/.test(text) && IANAZone.isValidZone(text);',
      ],
      'src/access/team/invitation-replies.service.ts': [
        'return { kind: \'api_key\', role, permissions: key.scopes }; => return { kind: "", role, permissions: key.scopes };',
      ],
      'src/access/team/invitations.service.ts': [
        'if (replacedRole !== null && teamRejection(context, replacedRole, role) !== null) { => if (true && teamRejection(context, replacedRole, role) !== null) {',
      ],
      'src/access/team/team-rules.ts': [
        "if (before !== null && !reaches(before)) return 'member_above'; => if (true && !reaches(before)) return 'member_above';",
        "if (after !== null && !reaches(after)) return 'role_above'; => if (true && !reaches(after)) return 'role_above';",
      ],
      'src/access/team/team.service.ts': [
        'const newOwner = await this.change(context, memberId, \'owner\', async (target, transaction, self) => ... => const newOwner = await this.change(context, memberId, "", async (target, transaction, self) => {',
      ],
      'src/accounts/users/password-hasher.ts': ['return fits && passwordHash !== null; => return fits && true;'],
      'src/accounts/users/users.service.ts': [
        'if (!fits || person === null) return null; => if (!fits || false) return null;',
      ],
    },
  },
  {
    reason: 'The compiler demands a value or a check for what is always there.',
    mutants: {
      'src/access/api-keys/key-format.ts': [
        'text = (ALPHABET[rest % BASE] ?? \'\') + text; => text = (ALPHABET[rest % BASE] ?? "Stryker was here!") + text;',
        'if (byte < 248 && text.length < length) text += ALPHABET[byte % BASE] ?? \'\'; => if (byte < 248 && text.length < length) text += ALPHABET[byte % BASE] ?? "Stryker was here!";',
      ],
      'src/catalogue/commands/command-template.ts': [
        'for (const { 0: written, 1: name = \'\', index } of template.matchAll(PLACE)) { => for (const { 0: written, 1: name = "Stryker was here!", index } of template.matchAll(PLACE)) {',
        'let command = texts[0] ?? \'\'; => let command = texts[0] ?? "Stryker was here!";',
        'command += (value ?? `{${place.name}}`) + (texts[position + 1] ?? \'\'); => command += (value ?? `{${place.name}}`) + (texts[position + 1] ?? "Stryker was here!");',
      ],
      'src/domain/principal/permissions.ts': [
        "ALL_PERMISSIONS.filter((permission) => resources.includes(permission.split(':')[0] ?? '')); => ALL_PERMISSIONS.filter((permission) => resources.includes(permission.split(':')[0] ?? \"Stryker was h...",
      ],
      'src/lib/money/money.ts': [
        "const [, sign = '', whole = '', fraction = ''] = match; => const [, sign = \"Stryker was here!\", whole = '', fraction = ''] = match;",
        "const [, sign = '', whole = '', fraction = ''] = match; => const [, sign = '', whole = \"Stryker was here!\", fraction = ''] = match;",
      ],
      'src/infrastructure/database/sharded-counters.ts': [
        'const shard = fullest?.shard ?? preferred; => const shard = fullest.shard ?? preferred;',
      ],
      'src/delivery/deliveries/delivery-leases.service.ts': [
        'if (delivery !== undefined && attempt !== undefined && changes !== null) { => if (true && changes !== null) {',
        'if (delivery !== undefined && attempt !== undefined && changes !== null) { => if (delivery !== undefined || attempt !== undefined && changes !== null) {',
        'if (delivery !== undefined && attempt !== undefined && changes !== null) { => if (true && attempt !== undefined && changes !== null) {',
        'if (delivery !== undefined && attempt !== undefined && changes !== null) { => if (delivery !== undefined && true && changes !== null) {',
        "const status = isVisible ? (deliveries.get(report.deliveryId)?.state ?? delivery.state) : 'unknown'; => const status = isVisible ? (deliveries.get(report.deliveryId).state ?? delivery.state) : 'unknown';",
      ],
      'src/delivery/deliveries/delivery-rules.ts': [
        'const [first = \'queued\', ...others] = states; => const [first = "", ...others] = states;',
      ],
      'src/shops/domains/domains.service.ts': [
        'const known = before.verifiedHostname === hostname ? before.proof?.token : undefined; => const known = before.verifiedHostname === hostname ? before.proof.token : undefined;',
      ],
      'src/orders/checkout/order-placement.repository.ts': [
        'return records.flatMap(({ places = [] }) => places); => return records.flatMap(({ places = ["Stryker was here"] }) => places);',
      ],
      'src/payments/inbox/inbox-events.repository.ts': [
        'payment: payment && paymentId !== null ? { ...payment, paymentId } : null, => payment: payment || paymentId !== null ? { ...payment, paymentId } : null,',
        'payment: payment && paymentId !== null ? { ...payment, paymentId } : null, => payment: payment && true ? { ...payment, paymentId } : null,',
        'return record?.orderId?.toHexString() ?? null; => return record?.orderId.toHexString() ?? null;',
      ],
      'src/payments/inbox/payment-inbox.service.ts': [
        'if (payment === null) throw new Error(\'an event without a payment cannot be applied\'); => if (payment === null) throw new Error("");',
        "if (payment === null) throw new Error('an event without a payment cannot be applied'); => if (false) throw new Error('an event without a payment cannot be applied');",
      ],
      'src/payments/accounts/payment-accounts.service.ts': [
        "if (!opens || !provider || !configuration?.enabled) throw new AppError('webhook_not_found'); => if (!opens || !provider || !configuration.enabled) throw new AppError('webhook_not_found');",
      ],
      'src/payments/providers/coinbase/coinbase-api.ts': [
        "{ credentials: { apiKeyId = '', apiKeySecret = '' }, apiUrl = `https://${HOST}` }: ProviderAccount, => { credentials: { apiKeyId = \"Stryker was here!\", apiKeySecret = '' }, apiUrl = `https://${HOST}` }: ...",
        "{ credentials: { apiKeyId = '', apiKeySecret = '' }, apiUrl = `https://${HOST}` }: ProviderAccount, => { credentials: { apiKeyId = '', apiKeySecret = \"Stryker was here!\" }, apiUrl = `https://${HOST}` }: ...",
      ],
      'src/payments/providers/coinbase/coinbase-token.ts': [
        "if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return { algorithm: 'ES256', key }; => if (key.asymmetricKeyDetails.namedCurve === 'prime256v1') return { algorithm: 'ES256', key };",
      ],
      'src/payments/providers/custom/custom.provider.ts': [
        "create: (payment, { credentials: { paymentUrl = '', signingSecret = '' } }): CreatedPayment => ({ => create: (payment, { credentials: { paymentUrl = \"Stryker was here!\", signingSecret = '' } }): Create...",
      ],
      'src/payments/providers/mercadopago/mercadopago-api.ts': [
        '{ credentials: { accessToken = \'\' }, apiUrl = API }: ProviderAccount, => { credentials: { accessToken = "Stryker was here!" }, apiUrl = API }: ProviderAccount,',
      ],
      'src/payments/providers/mercadopago/mercadopago-events.ts': [
        'const details = events[0]?.payment; => const details = events[0].payment;',
      ],
      'src/payments/providers/mollie/mollie-api.ts': [
        '{ credentials: { apiKey = \'\' }, apiUrl = API }: ProviderAccount, => { credentials: { apiKey = "Stryker was here!" }, apiUrl = API }: ProviderAccount,',
      ],
      'src/payments/providers/paypal/paypal-api.ts': [
        "const { clientId = '', clientSecret = '' } = account.credentials; => const { clientId = \"Stryker was here!\", clientSecret = '' } = account.credentials;",
        "const { clientId = '', clientSecret = '' } = account.credentials; => const { clientId = '', clientSecret = \"Stryker was here!\" } = account.credentials;",
        "if (token === undefined) throw providerUnavailable('paypal', 'no token'); => if (token === undefined) throw providerUnavailable(\"\", 'no token');",
        "if (token === undefined) throw providerUnavailable('paypal', 'no token'); => if (token === undefined) throw providerUnavailable('paypal', \"\");",
        "if (token === undefined) throw providerUnavailable('paypal', 'no token'); => if (false) throw providerUnavailable('paypal', 'no token');",
      ],
      'src/payments/providers/paypal/paypal-captures.ts': [
        "const [whole = '', fraction = ''] = decimal.split('.'); => const [whole = \"Stryker was here!\", fraction = ''] = decimal.split('.');",
      ],
      'src/payments/providers/paypal/paypal-signature.ts': [
        "if (certificate === undefined) throw providerUnavailable('paypal', 'returned no certificate'); => if (certificate === undefined) throw providerUnavailable(\"\", 'returned no certificate');",
        "if (certificate === undefined) throw providerUnavailable('paypal', 'returned no certificate'); => if (certificate === undefined) throw providerUnavailable('paypal', \"\");",
        "if (certificate === undefined) throw providerUnavailable('paypal', 'returned no certificate'); => if (false) throw providerUnavailable('paypal', 'returned no certificate');",
      ],
      'src/payments/providers/stripe/stripe-api.ts': [
        "if (event?.payment?.type !== 'payment.succeeded') return event === null ? [] : [event]; => if (event?.payment.type !== 'payment.succeeded') return event === null ? [] : [event];",
      ],
      'src/payments/providers/yookassa/yookassa-api.ts': [
        "{ credentials: { shopId = '', secretKey = '' }, apiUrl = API }: ProviderAccount, => { credentials: { shopId = \"Stryker was here!\", secretKey = '' }, apiUrl = API }: ProviderAccount,",
        "{ credentials: { shopId = '', secretKey = '' }, apiUrl = API }: ProviderAccount, => { credentials: { shopId = '', secretKey = \"Stryker was here!\" }, apiUrl = API }: ProviderAccount,",
      ],
      'src/shops/shops/hostname-rules.ts': [
        "if (SPECIAL_USE.has(labels.at(-1) ?? '')) return 'special_use'; => if (SPECIAL_USE.has(labels.at(-1) ?? \"Stryker was here!\")) return 'special_use';",
      ],
      'src/shops/shops/shop-hostnames.repository.ts': [
        'if (hostname === undefined || proof === undefined) return []; => if (hostname === undefined || proof === undefined) return ["Stryker was here"];',
        'if (hostname === undefined || proof === undefined) return []; => if (false) return [];',
        'if (hostname === undefined || proof === undefined) return []; => if (hostname === undefined && proof === undefined) return [];',
        'if (hostname === undefined || proof === undefined) return []; => if (false || proof === undefined) return [];',
        'if (hostname === undefined || proof === undefined) return []; => if (hostname === undefined || false) return [];',
      ],
      'src/accounts/users/users.repository.ts': [
        'const { passwordHash, passwordChangedAt = null, knownDevices = [] } = record; => const { passwordHash, passwordChangedAt = null, knownDevices = ["Stryker was here"] } = record;',
      ],
    },
  },
  {
    reason: 'Both sides give the same result at the border.',
    mutants: {
      'src/access/api-keys/key-rules.ts': [
        'return expiresAt !== null && expiresAt < end ? expiresAt : end; => return expiresAt !== null && expiresAt <= end ? expiresAt : end;',
      ],
      'src/orders/reservations/order-stock.service.ts': [
        'const sorted = [...units].sort(([one], [other]) => (one < other ? -1 : 1)); => const sorted = [...units].sort(([one], [other]) => (one <= other ? -1 : 1));',
      ],
      'src/payments/providers/stripe/stripe-events.ts': [
        'return shift >= 0 ? amount * 10 ** shift : Math.floor(amount / 10 ** -shift); => return false ? amount * 10 ** shift : Math.floor(amount / 10 ** -shift);',
        'return shift >= 0 ? amount * 10 ** shift : Math.floor(amount / 10 ** -shift); => return shift > 0 ? amount * 10 ** shift : Math.floor(amount / 10 ** -shift);',
        'const amount = shift >= 0 ? minor * 10 ** shift : minor / 10 ** -shift; => const amount = shift > 0 ? minor * 10 ** shift : minor / 10 ** -shift;',
      ],
    },
  },
  {
    reason: 'Changes only what is logged. No decision depends on it.',
    mutants: {
      'src/access/api-keys/key-verifier.service.ts': [
        'private readonly logger = new Logger(\'ApiKeys\'); => private readonly logger = new Logger("");',
        "this.transactions.run(touch).catch((error: unknown) => { this.logger.warn('The use of an API key was... => this.transactions.run(touch).catch((error: unknown) => {});",
        'this.logger.warn(\'The use of an API key was not stored\', describeError(error)); => this.logger.warn("", describeError(error));',
      ],
      'src/access/auth/sessions.service.ts': [
        'private readonly logger = new Logger(\'Sessions\'); => private readonly logger = new Logger("");',
        'this.logger.warn(\'A refresh token was used twice; its session was ended\', { sessionId: session.id })... => this.logger.warn("", { sessionId: session.id });',
        "this.logger.warn('A refresh token was used twice; its session was ended', { sessionId: session.id })... => this.logger.warn('A refresh token was used twice; its session was ended', {});",
      ],
      'src/delivery/deliveries/delivery-leases.service.ts': [
        'private readonly logger = new Logger(\'Deliveries\'); => private readonly logger = new Logger("");',
      ],
      'src/infrastructure/idempotency/idempotency.service.ts': [
        "throw new AppError('stored_response_unreadable', { cause }); => throw new AppError('stored_response_unreadable', {});",
      ],
      'src/shops/memberships/memberships.service.ts': [
        'private readonly logger = new Logger(\'Team\'); => private readonly logger = new Logger("");',
      ],
      'src/orders/ending/order-expiry.service.ts': [
        'private readonly logger = new Logger(\'Orders\'); => private readonly logger = new Logger("");',
        'this.logger.error(`The unpaid order ${order.id} could not be ended`, describeError(error)); => this.logger.error(``, describeError(error));',
        'await this.postpone(order).catch((failure: unknown) => { this.logger.warn(`The unpaid order ${order.... => await this.postpone(order).catch((failure: unknown) => {});',
        'this.logger.warn(`The unpaid order ${order.id} was not set aside`, describeError(failure)); => this.logger.warn(``, describeError(failure));',
      ],
      'src/payments/payments/payment-checks.service.ts': [
        'private readonly logger = new Logger(\'Payments\'); => private readonly logger = new Logger("");',
      ],
      'src/payments/inbox/payment-inbox.service.ts': [
        'private readonly logger = new Logger(\'Payments\'); => private readonly logger = new Logger("");',
        "if (state === 'failed') this.logger.warn('A payment names an order that the shop does not have', log... => if (true) this.logger.warn('A payment names an order that the shop does not have', logContext(event)...",
        "if (state === 'failed') this.logger.warn('A payment names an order that the shop does not have', log... => if (false) this.logger.warn('A payment names an order that the shop does not have', logContext(event...",
        "if (state === 'failed') this.logger.warn('A payment names an order that the shop does not have', log... => if (state !== 'failed') this.logger.warn('A payment names an order that the shop does not have', log...",
        "if (state === 'failed') this.logger.warn('A payment names an order that the shop does not have', log... => if (state === \"\") this.logger.warn('A payment names an order that the shop does not have', logContex...",
        "if (state === 'failed') this.logger.warn('A payment names an order that the shop does not have', log... => if (state === 'failed') this.logger.warn(\"\", logContext(event));",
        'this.logger.error(\'A payment event could not be applied\', { ...logContext(event), ...describeError(e... => this.logger.error("", { ...logContext(event), ...describeError(error) });',
        "this.logger.error('A payment event could not be applied', { ...logContext(event), ...describeError(e... => this.logger.error('A payment event could not be applied', {});",
        'function logContext({ shopId, provider, eventId, orderId }: InboxEvent): Record<string, unknown> { r... => function logContext({ shopId, provider, eventId, orderId }: InboxEvent): Record<string, unknown> {}',
        'return { shopId, provider, eventId, orderId }; => return {};',
      ],
      'src/payments/refunds/refund-checks.service.ts': [
        'private readonly logger = new Logger(\'Refunds\'); => private readonly logger = new Logger("");',
      ],
    },
  },
  {
    reason: 'Reads more fields than it needs, and returns the same.',
    mutants: {
      'src/access/auth/login-challenges.repository.ts': [
        '.findOne({ tokenHash, expiresAt: trusted({ $gt: now }) }, { userId: 1, passwordChangedAt: 1 }) => .findOne({ tokenHash, expiresAt: trusted({ $gt: now }) }, {})',
      ],
      'src/access/auth/password-resets.repository.ts': [
        'return (await this.resets.findOne({ tokenHash, expiresAt: trusted({ $gt: now }) }, { _id: 1 }).lean(... => return (await this.resets.findOne({ tokenHash, expiresAt: trusted({ $gt: now }) }, {}).lean()) !== n...',
        '{ session: transaction, projection: { userId: 1 } }, => { session: transaction, projection: {} },',
      ],
      'src/access/auth/sessions.repository.ts': [
        'const token = await this.tokens.findOne({ hash }, { sessionId: 1 }).lean(); => const token = await this.tokens.findOne({ hash }, {}).lean();',
      ],
      'src/infrastructure/database/sharded-counters.ts': [
        '.find({ shopId, subjectId: oneOf(subjectIds) }, { subjectId: 1, left: 1 }) => .find({ shopId, subjectId: oneOf(subjectIds) }, {})',
        'return this.shards.find({ shopId, subjectId }, { shard: 1, left: 1 }).session(transaction).lean(); => return this.shards.find({ shopId, subjectId }, {}).session(transaction).lean();',
      ],
      'src/delivery/deliveries/abandoned-deliveries.repository.ts': [
        '.find(abandoned, { shopId: 1 }) => .find(abandoned, {})',
        'const records = await this.deliveries.find(claimed, { orderId: 1 }).session(transaction).lean(); => const records = await this.deliveries.find(claimed, {}).session(transaction).lean();',
      ],
      'src/shops/memberships/members.repository.ts': [
        ".findOne({ shopId, role: 'owner', _id: trusted({ $ne: new Types.ObjectId(memberId) }) }, { _id: 1 }) => .findOne({ shopId, role: 'owner', _id: trusted({ $ne: new Types.ObjectId(memberId) }) }, {})",
        'const records = await this.members.find({ userId }, { shopId: 1, _id: 0 }).lean(); => const records = await this.members.find({ userId }, {}).lean();',
      ],
      'src/orders/fulfilment/delivery-status.repository.ts': [
        '.find({ _id: oneOf(orderIds), shopId }, { deliveryStatus: 1 }) => .find({ _id: oneOf(orderIds), shopId }, {})',
      ],
      'src/orders/order/orders.repository.ts': ['{ _id: 1 }, => {},'],
      'src/accounts/second-factor/second-factors.repository.ts': [
        '.findOneAndDelete({ userId }, { session: transaction, projection: { enabledAt: 1 } }) => .findOneAndDelete({ userId }, { session: transaction, projection: {} })',
      ],
      'src/catalogue/servers/servers.repository.ts': [
        'const records = await this.servers.find({ shopId, ...NOT_ARCHIVED, isHidden: false }, { _id: 1 }).le... => const records = await this.servers.find({ shopId, ...NOT_ARCHIVED, isHidden: false }, {}).lean();',
      ],
      'src/shops/shops/shop-hostnames.repository.ts': [
        'const holder = await this.shops.findOne({ verifiedHostname: hostname }, { _id: 1 }).lean(); => const holder = await this.shops.findOne({ verifiedHostname: hostname }, {}).lean();',
      ],
      'src/shops/shops/shops.repository.ts': [
        'return (await this.shops.findOne({}, { _id: 1 }).lean()) === null; => return (await this.shops.findOne({}, {}).lean()) === null;',
      ],
      'src/accounts/users/users.repository.ts': [
        '.findOne(by, { ...PUBLIC_FIELDS, passwordHash: 1, passwordChangedAt: 1, knownDevices: 1 }) => .findOne(by, {})',
        'return (await this.users.findOne({}, { _id: 1 }).lean()) === null; => return (await this.users.findOne({}, {}).lean()) === null;',
      ],
    },
  },
  {
    reason: 'The index that the query uses gives this order already. The sort promises it.',
    mutants: {
      'src/access/auth/sessions.repository.ts': [
        '.sort({ _id: -1 }) => .sort({})',
        'const records = await this.sessions .find({ userId, ...live(now), ...afterIdOf(page) }, DETAILS) .so... => const records = await this.sessions.find({ userId, ...live(now), ...afterIdOf(page) }, DETAILS)',
      ],
      'src/delivery/deliveries/abandoned-deliveries.repository.ts': [
        'const records = await this.deliveries .find(abandoned, { shopId: 1 }) .sort({ dueAt: 1 }) => const records = await this.deliveries.find(abandoned, { shopId: 1 })',
        '.sort({ dueAt: 1 }) => .sort({})',
      ],
      'src/delivery/deliveries/delivery-attempts.repository.ts': [
        'const records = await this.attempts .find({ deliveryId: oneOf(deliveryIds), shopId }) .sort({ delive... => const records = await this.attempts.find({ deliveryId: oneOf(deliveryIds), shopId })',
        '.sort({ deliveryId: 1, attempt: 1 }) => .sort({})',
      ],
      'src/delivery/deliveries/order-deliveries.repository.ts': [
        'const records = await this.deliveries .find({ orderId: oneOf(orderIds), shopId }) .sort({ orderId: 1... => const records = await this.deliveries.find({ orderId: oneOf(orderIds), shopId })',
        '.sort({ orderId: 1, kind: 1, position: 1 }) => .sort({})',
      ],
      'src/payments/accounts/payment-providers.repository.ts': [
        'const records = await this.providers.find(afterId(id)).sort({ _id: 1 }).limit(limit).lean(); => const records = await this.providers.find(afterId(id)).limit(limit).lean();',
        'const records = await this.providers.find(afterId(id)).sort({ _id: 1 }).limit(limit).lean(); => const records = await this.providers.find(afterId(id)).sort({}).limit(limit).lean();',
      ],
      'src/payments/payments/payments.repository.ts': [
        'const record = await this.payments.findOne({ shopId, orderId, provider }).sort({ attempt: -1 }).lean... => const record = await this.payments.findOne({ shopId, orderId, provider }).lean();',
        'const record = await this.payments.findOne({ shopId, orderId, provider }).sort({ attempt: -1 }).lean... => const record = await this.payments.findOne({ shopId, orderId, provider }).sort({}).lean();',
      ],
      'src/catalogue/products/products.repository.ts': [
        'const records = await this.products .find({ shopId, ...NOT_ARCHIVED, isActive: true, ...afterPosition(page)... => const records = await this.products.find({ shopId, ...NOT_ARCHIVED, isActive: true, ...afterPosition(page),...',
      ],
      'src/payments/refunds/refunds.repository.ts': [
        'const records = await this.refunds.find({ shopId, orderId }).sort({ _id: 1 }).session(transaction).l... => const records = await this.refunds.find({ shopId, orderId }).session(transaction).lean();',
        'const records = await this.refunds.find({ shopId, orderId }).sort({ _id: 1 }).session(transaction).l... => const records = await this.refunds.find({ shopId, orderId }).sort({}).session(transaction).lean();',
      ],
      'src/catalogue/servers/servers.repository.ts': [
        '.sort({ _id: -1 }) => .sort({})',
        'const records = await this.servers .find({ shopId, ...NOT_ARCHIVED, $and: conditions }) .sort({ _id:... => const records = await this.servers.find({ shopId, ...NOT_ARCHIVED, $and: conditions })',
      ],
      'src/shops/shops/shop-hostnames.repository.ts': [
        "const records = await this.shops .find({ 'proof.checkAt': trusted({ $lte: now }) }, PROOF_FIELDS) .s... => const records = await this.shops.find({ 'proof.checkAt': trusted({ $lte: now }) }, PROOF_FIELDS)",
        ".sort({ 'proof.checkAt': 1 }) => .sort({})",
      ],
    },
  },
  {
    reason:
      'The label of a derived key. Any text is as good. It never changes, because what is stored could not be read any more.',
    mutants: {
      'src/access/auth/login-attempts.service.ts': [
        'this.key = deriveKey(encryptionKey, \'known-devices\'); => this.key = deriveKey(encryptionKey, "");',
      ],
      'src/infrastructure/idempotency/idempotency.service.ts': [
        'this.box = new SecretBox(config, \'idempotency\'); => this.box = new SecretBox(config, "");',
        'this.secretKeys = keysFor(config, \'idempotent-creations\'); => this.secretKeys = keysFor(config, "");',
      ],
      'src/orders/nickname-changes/nickname-codes.service.ts': [
        'this.pepper = deriveKey(config.encryptionKey, \'nickname-codes\'); => this.pepper = deriveKey(config.encryptionKey, "");',
      ],
      'src/orders/checkout/buyer-checks.service.ts': [
        'this.hashKey = deriveKey(config.encryptionKey, \'open-orders\'); => this.hashKey = deriveKey(config.encryptionKey, "");',
      ],
      'src/accounts/second-factor/second-factor-codes.service.ts': [
        'this.box = new SecretBox(config, \'second-factors\'); => this.box = new SecretBox(config, "");',
      ],
    },
  },
  {
    reason:
      'Runs only when MongoDB fails one of two inserts of the same event. The embedded store lets them wait for each other.',
    mutants: {
      'src/payments/inbox/inbox-events.repository.ts': [
        'if (violatedIndex(error) === null) throw error; => if (true) throw error;',
        'if (violatedIndex(error) === null) throw error; => if (false) throw error;',
        'if (violatedIndex(error) === null) throw error; => if (true) throw error;',
        'if (violatedIndex(error) === null) throw error; => if (violatedIndex(error) !== null) throw error;',
      ],
    },
  },
  {
    reason: 'Stores a failure that the next try of the provider replaces.',
    mutants: {
      'src/payments/inbox/payment-inbox.service.ts': ['if (!isDatabaseUnavailable(error)) { => if (true) {'],
    },
  },
  {
    reason: 'Applying a payment event a second time changes nothing, and an event is kept for 45 days.',
    mutants: {
      'src/payments/inbox/payment-inbox.service.ts': [
        'if (own === null || isFinal(own)) return own?.state ?? state; => if (own === null || isFinal(own)) return own?.state && state;',
        'if (own === null || isFinal(own)) return own?.state ?? state; => if (own === null || isFinal(own)) return own.state ?? state;',
        'if (own === null || isFinal(own)) return own?.state ?? state; => if (false) return own?.state ?? state;',
        'if (own === null || isFinal(own)) return own?.state ?? state; => if (own === null && isFinal(own)) return own?.state ?? state;',
        'if (own === null || isFinal(own)) return own?.state ?? state; => if (false || isFinal(own)) return own?.state ?? state;',
        'const others = waiting.filter((event) => event.id !== id); => const others = waiting;',
        'const others = waiting.filter((event) => event.id !== id); => const others = waiting.filter((event) => true);',
      ],
    },
  },
  {
    reason: 'A sentence for people. Which error it is, is tested.',
    mutants: {
      'src/payments/accounts/payment-providers.service.ts': ['\'The shop has not configured this provider\', => "",'],
      'src/payments/providers/coinbase/coinbase.provider.ts': [
        'says: \'must be the id of a Secret API Key: a UUID, or organizations/.../apiKeys/...\', => says: "",',
        'says: \'must be the secret of the Secret API Key: 64 bytes in base64, or a private key in PEM\', => says: "",',
        'says: \'must be the secret of the webhook subscription\', => says: "",',
      ],
      'src/payments/providers/custom/custom-events.ts': [
        'says: \'must be whsec_ followed by 24 to 64 bytes in base64\', => says: "",',
      ],
      'src/payments/providers/custom/custom.provider.ts': [
        '\'must be the https address of your payment page, of at most 300 characters; it can contain {paymentI... => "" +',
        '\'{amount}, {currency}, {successUrl}, {cancelUrl} and {signature}\', => "",',
      ],
      'src/payments/providers/mercadopago/mercadopago.provider.ts': [
        'says: \'must be an access token, APP_USR-... or TEST-...\', => says: "",',
        'says: \'must be the secret of the webhook in your application\', => says: "",',
      ],
      'src/payments/providers/mollie/mollie.provider.ts': [
        'says: \'must be an API key, live_... or test_...\', => says: "",',
      ],
      'src/payments/providers/paypal/paypal.provider.ts': [
        "{ name: 'clientId', pattern: KEY, says: 'must be the client id of your app' }, => { name: 'clientId', pattern: KEY, says: \"\" },",
        "{ name: 'clientSecret', pattern: KEY, says: 'must be the secret of your app' }, => { name: 'clientSecret', pattern: KEY, says: \"\" },",
        'says: \'must be the id of the webhook in your app, of letters and digits\', => says: "",',
      ],
      'src/payments/providers/yookassa/yookassa.provider.ts': [
        "{ name: 'shopId', pattern: /^\\d{1,20}$/, says: 'must be the id of your shop at YooKassa: digits' }, => { name: 'shopId', pattern: /^\\d{1,20}$/, says: \"\" },",
        'says: \'must be a secret key, live_... or test_...\', => says: "",',
      ],
      'src/shops/shops/hostname-rules.ts': [
        'not_a_hostname: \'hostname must be a complete hostname such as shop.example.com\', => not_a_hostname: "",',
        'ip_address: \'hostname must be a name, not an IP address\', => ip_address: "",',
        'platform_host: \'hostname must not be one of the platform itself\', => platform_host: "",',
        'special_use: \'hostname must be one that the public internet can reach\', => special_use: "",',
      ],
    },
  },
  {
    reason: 'The default of the library is the same.',
    mutants: {
      'src/orders/staff/order-search.repository.ts': [
        'return only === null ? [{}] : [{ serverId: trusted({ $in: [null, ...oneOf(only).$in] }) }]; => return only === null ? [] : [{ serverId: trusted({ $in: [null, ...oneOf(only).$in] }) }];',
      ],
      'src/payments/providers/coinbase/coinbase-token.ts': [
        "const signature = sign(algorithm === 'ES256' ? 'sha256' : null, Buffer.from(signed), options); => const signature = sign(false ? 'sha256' : null, Buffer.from(signed), options);",
        "const signature = sign(algorithm === 'ES256' ? 'sha256' : null, Buffer.from(signed), options); => const signature = sign(algorithm === \"\" ? 'sha256' : null, Buffer.from(signed), options);",
      ],
      'src/payments/providers/stripe/stripe-api.ts': [
        "protocol: isPlain ? 'http' : 'https', => protocol: isPlain ? 'http' : \"\",",
      ],
      'src/accounts/second-factor/second-factor-rules.ts': [
        'return new Secret({ size: SECRET_BYTES }).base32; => return new Secret({}).base32;',
      ],
      'src/access/team/invitations.repository.ts': [
        '{ upsert: true, returnDocument: \'before\', projection: FIELDS, session: transaction }, => { upsert: true, returnDocument: "", projection: FIELDS, session: transaction },',
      ],
    },
  },
  {
    reason: 'Node ignores this option for an Ed25519 key.',
    mutants: {
      'src/payments/providers/coinbase/coinbase-token.ts': [
        "const options = algorithm === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' as const } : key; => const options = true ? { key, dsaEncoding: 'ieee-p1363' as const } : key;",
      ],
    },
  },
  {
    reason: 'The same behaviour: undefined counts as absent. Only the compiler tells the two apart.',
    mutants: {
      'src/payments/inbox/inbox-events.repository.ts': [
        '...(payment.refundId === undefined ? {} : { refundId: payment.refundId }), => ...(false ? {} : { refundId: payment.refundId }),',
      ],
      'src/payments/providers/paypal/paypal-api.ts': [
        '...(body === undefined ? {} : { body }), => ...(false ? {} : { body }),',
      ],
    },
  },
  {
    reason: 'Needs a server on port 80, which a test cannot open.',
    mutants: {
      'src/payments/providers/stripe/stripe-api.ts': [
        "port: port === '' ? (isPlain ? 80 : 443) : port, => port: false ? (isPlain ? 80 : 443) : port,",
        'port: port === \'\' ? (isPlain ? 80 : 443) : port, => port: port === "Stryker was here!" ? (isPlain ? 80 : 443) : port,',
      ],
    },
  },
  {
    reason:
      'Multiplying by 0.01 and dividing by 100 give the same whole number: tried for the first 100 million amounts.',
    mutants: {
      'src/payments/providers/stripe/stripe-events.ts': [
        'const amount = shift >= 0 ? minor * 10 ** shift : minor / 10 ** -shift; => const amount = true ? minor * 10 ** shift : minor / 10 ** -shift;',
        'const amount = shift >= 0 ? minor * 10 ** shift : minor / 10 ** -shift; => const amount = false ? minor * 10 ** shift : minor / 10 ** -shift;',
        'const amount = shift >= 0 ? minor * 10 ** shift : minor / 10 ** -shift; => const amount = shift < 0 ? minor * 10 ** shift : minor / 10 ** -shift;',
      ],
    },
  },
  {
    reason: 'JSON.parse(null) is null.',
    mutants: {
      'src/payments/accounts/credentials/credential-vault.ts': [
        'return json === null ? null : (JSON.parse(json) as Credentials); => return false ? null : (JSON.parse(json) as Credentials);',
      ],
    },
  },
];
