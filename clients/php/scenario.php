<?php

// What every client must be able to do, run against a real server by clients/scenario.clients.test.ts. Prints its results as JSON.

declare(strict_types=1);

use Kontor\Attempt;
use Kontor\Kontor;
use Kontor\KontorError;
use Kontor\Webhook;
use Kontor\WebhookError;

// What Composer's autoloader does with the psr-4 rule of composer.json.
spl_autoload_register(static function (string $class): void {
    require __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('Kontor\\'))) . '.php';
});

$kontor = new Kontor((string) getenv('KONTOR_URL'), (string) getenv('KONTOR_KEY'));
$line = ['sku' => getenv('KONTOR_SKU'), 'amount' => 2, 'total' => 30.5];

$added = $kontor->orders->add([
    'num' => '1',
    'customer_name' => 'Zoë Ångström',
    'products' => [$line, ['sku' => 'UNKNOWN', 'amount' => 1, 'total' => 5]],
]);
$orderId = $added['order_id'];
$edited = $kontor->orders->edit(['order_id' => $orderId, 'notes' => 'Call "before" delivery / ok']);
$kontor->orders->update_status(['order_id' => $orderId, 'status' => 3, 'date_shipped' => '2026-01-31']);
$order = $kontor->orders->get_entry(['order_id' => $orderId])['order'];

$attempts = [];
$cut = new Kontor((string) getenv('KONTOR_CUT_URL'), (string) getenv('KONTOR_KEY'), onAttempt: static function (Attempt $attempt) use (&$attempts): void {
    $attempts[] = [$attempt->status, $attempt->replayed];
});
$cut->orders->add(['num' => '2', 'customer_name' => 'Zoë Ångström', 'products' => [$line]]);

$trial = $kontor->orders->add(['num' => '3', 'customer_name' => 'Ben', 'products' => [$line]], dryRun: true);

$nums = [];
foreach ($kontor->orders->each([], pageSize: 1) as $one) {
    $nums[] = $one['num'];
}

$streamed = [];
foreach ($kontor->orders->stream(['date_from' => '2026-01-01']) as $one) {
    $streamed[] = $one['num'];
}

$changes = [];
$middle = ['after' => 0];
foreach ($kontor->events->follow($middle, pageSize: 2, wait: false) as $position => $event) {
    $changes[] = $event['type'];
    $middle = $event['type'] === 'customer.created' ? $position : $middle;
}
$resumed = [];
foreach ($kontor->events->follow($middle, wait: false) as $event) {
    $resumed[] = $event['type'];
}
$levels = [];
foreach ($kontor->stock->follow_changes(wait: false) as $level) {
    $levels[] = $level['available'];
}

$refused = null;
try {
    $kontor->orders->delete(['order_id' => 999_999]);
} catch (KontorError $error) {
    $refused = [
        'status' => $error->status,
        'text' => $error->text,
        'code' => $error->errorCode,
        'retryable' => $error->retryable,
        'attempts' => $error->attempts,
    ];
}

/** The payload of each message of the test, or why it is refused. */
$verified = array_map(static function (array $message): mixed {
    try {
        return Webhook::verify($message['secret'], $message['body'], $message['headers']);
    } catch (WebhookError $error) {
        return $error->getMessage();
    }
}, json_decode((string) getenv('KONTOR_WEBHOOKS'), true));

echo json_encode([
    'added' => $added,
    'edited' => array_keys($edited),
    'shown' => [$order['num'], $order['status'], $order['customer_name'], $order['notes'], $order['total'], $order['date_shipped']],
    'retried' => $attempts,
    'dryRun' => [$trial['dry_run'], $trial['order_id'], $trial['effects']['created'], $trial['effects']['stock'][0]['reserved']],
    'nums' => $nums,
    'streamed' => $streamed,
    'changes' => $changes,
    'resumed' => $resumed,
    'levels' => $levels,
    'refused' => $refused,
    'empty' => array_keys($kontor->units->get_list()),
    'webhooks' => $verified,
], JSON_THROW_ON_ERROR);
