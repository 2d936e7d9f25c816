<?php

// Verifies webhooks that are signed as the Standard Webhooks conventions define.

declare(strict_types=1);

namespace Kontor;

final class Webhook
{
    /** A message older or newer than this is refused, so that a recorded one cannot be sent again later. */
    private const TOLERANCE_SECONDS = 300;

    /**
     * Returns the payload of a message whose signature and time are valid.
     *
     * @param string $secret The secret of the endpoint, `whsec_…`.
     * @param string $body The request body exactly as it was received.
     * @param array<string, string> $headers The request headers; their case does not matter.
     * @return array<string, mixed>
     * @throws WebhookError When the message is not valid. Respond with 400 then.
     */
    public static function verify(
        #[\SensitiveParameter] string $secret,
        string $body,
        array $headers,
        ?int $now = null,
    ): array {
        $given = array_change_key_case($headers);
        [$id, $timestamp, $signatures] = [
            $given['webhook-id'] ?? '',
            $given['webhook-timestamp'] ?? '',
            $given['webhook-signature'] ?? '',
        ];
        if ($id === '' || $signatures === '' || !ctype_digit($timestamp)) {
            throw new WebhookError('The webhook headers are missing');
        }
        if (abs(($now ?? time()) - (int) $timestamp) > self::TOLERANCE_SECONDS) {
            throw new WebhookError('The webhook is too old or too new');
        }
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret) ?? '', true);
        if ($key === false || $key === '') {
            throw new \InvalidArgumentException('The secret is not one of a webhook endpoint');
        }
        $expected = base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        foreach (explode(' ', $signatures) as $signature) {
            [$version, $value] = explode(',', $signature, 2) + [1 => ''];
            if ($version === 'v1' && hash_equals($expected, $value)) {
                $payload = json_decode($body, true);
                return is_array($payload) ? $payload : throw new WebhookError('The webhook is not JSON');
            }
        }
        throw new WebhookError('No signature of the webhook is valid');
    }
}
