<?php
/**
 * What happens in the shop of the test, one call of this program each: `php shop.php <WordPress> <what> <JSON>`. Prints JSON.
 *
 * @package Kontor\WooCommerce
 */

// phpcs:disable
list( , $folder, $what, $json ) = $argv + array( 3 => '{}' );
$input = json_decode( $json, true );
$_SERVER += array( 'HTTP_HOST' => '127.0.0.1', 'REQUEST_URI' => '/', 'REQUEST_METHOD' => 'GET', 'SERVER_PROTOCOL' => 'HTTP/1.1' );
if ( 'install' === $what ) {
	define( 'WP_INSTALLING', true );
}
require "$folder/wp-load.php";

$actions = array(
	'install' => static function () use ( $folder, $input ) {
		require_once "$folder/wp-admin/includes/upgrade.php";
		wp_install( 'Shop', 'admin', 'admin@shop.example', false, '', $input['password'] );
		update_option( 'siteurl', $input['url'] );
		update_option( 'home', $input['url'] );
		wp_create_user( 'visitor', $input['password'], 'visitor@shop.example' );
		return true;
	},
	'activate' => static function () {
		require_once ABSPATH . 'wp-admin/includes/plugin.php';
		return array( activate_plugin( 'woocommerce/woocommerce.php' ), activate_plugin( 'kontor-for-woocommerce/kontor-for-woocommerce.php' ) );
	},
	'product' => static fn () => WC_Product::insert( $input )->get_id(),
	'order' => static function () use ( $input ) {
		$order = WC_Order::insert( $input + array( 'status' => 'pending', 'refunds' => array(), 'created' => '2026-03-12 10:00:00', 'fields' => array() ) );
		do_action( 'woocommerce_new_order', $order->get_id(), $order );
		return $order->get_id();
	},
	'pay' => static fn () => wc_get_order( $input['id'] )->payment_complete(),
	'status' => static fn () => wc_get_order( $input['id'] )->update_status( $input['status'] ),
	'refund' => static function () use ( $input ) {
		$order = wc_get_order( $input['id'] );
		$order->data['refunds'] = array_merge( $order->data['refunds'], $input['refunds'] );
		$order->store();
		do_action( 'woocommerce_order_refunded', $input['id'], 1 );
		if ( (float) $order->get_total_refunded() >= (float) $order->get_total() ) {
			$order->update_status( 'refunded' );
		}
	},
	'shown' => static fn () => array(
		'meta' => wc_get_order( $input['id'] )->data['meta'],
		'notes' => get_option( "standin_notes_{$input['id']}", array() ),
	),
	'poll' => static fn () => do_action( 'kontor_poll' ),
	'forget' => static fn () => wp_clear_scheduled_hook( 'kontor_send_order', array( $input['id'] ) ),
	'pull' => static fn () => do_action( 'kontor_pull_stock' ),
	'stock' => static fn () => wc_get_product( $input['id'] )->get_stock_quantity(),
	'options' => static fn () => array_map( 'get_option', array( 'kontor_settings', 'kontor_position', 'kontor_last_pull' ) ),
	'waiting' => static fn () => array_values( array_unique( array_merge(
		...array_map( static fn ( $hooks ) => array_keys( $hooks ), array_values( array_filter( _get_cron_array(), 'is_array' ) ) ) ?: array( array() )
	) ) ),
	'actions' => static fn () => get_option( 'standin_actions', array() ),
	// Calls what is due, as WP-Cron does; with "all" also what is due later.
	'run' => static function () use ( $input ) {
		$ran = array();
		foreach ( get_option( 'standin_actions', array() ) as list( $at, $hook, $args, $group ) ) {
			if ( $at <= time() || ! empty( $input['all'] ) ) {
				as_unschedule_action( $hook, $args, $group );
				do_action_ref_array( $hook, $args );
				$ran[] = $hook;
			}
		}
		foreach ( _get_cron_array() as $at => $hooks ) {
			foreach ( $hooks as $hook => $events ) {
				foreach ( 0 === strpos( $hook, 'kontor_' ) && ( $at <= time() || ! empty( $input['all'] ) ) ? $events : array() as $event ) {
					if ( empty( $event['schedule'] ) ) {
						wp_unschedule_event( $at, $hook, $event['args'] );
					}
					do_action_ref_array( $hook, $event['args'] );
					$ran[] = $hook;
				}
			}
		}
		return $ran;
	},
);
echo "\n", json_encode( $actions[ $what ]() ), "\n";
