<?php
/**
 * Plugin Name: Stand-in for WooCommerce
 * Description: The documented functions, classes and hooks of WooCommerce that the plugin uses, for its test. Anything else that the plugin would call is a fatal error.
 * License: GPL-2.0-or-later
 *
 * Orders are not posts here, as with WooCommerce's own order tables: a plugin that reads or writes them as posts finds nothing.
 *
 * @package Kontor\WooCommerce
 */

defined( 'ABSPATH' ) || exit;

final class WC_DateTime extends DateTime {
	public function date( $format ) {
		return $this->format( $format );
	}
}

abstract class Standin_Data {
	const KIND = '';
	public $data;

	public function __construct( array $data ) {
		$this->data = $data;
	}

	public static function load( $id ) {
		$data = get_option( 'standin_' . static::KIND . "_$id" );
		return is_array( $data ) ? new static( $data ) : false;
	}

	public static function ids() {
		return get_option( 'standin_ids_' . static::KIND, array() );
	}

	public static function insert( array $data ) {
		// Far from the ids of posts.
		$id  = 900000 + count( self::all_ids() );
		$new = new static( array( 'id' => $id, 'meta' => array() ) + $data );
		update_option( 'standin_ids_' . static::KIND, array_merge( static::ids(), array( $id ) ), false );
		update_option( 'standin_all', array_merge( self::all_ids(), array( $id ) ), false );
		$new->store();
		return $new;
	}

	private static function all_ids() {
		return get_option( 'standin_all', array() );
	}

	public function store() {
		update_option( 'standin_' . static::KIND . '_' . $this->data['id'], $this->data, false );
	}

	public function get_id() {
		return $this->data['id'];
	}

	public function get_meta( $key ) {
		return $this->data['meta'][ $key ] ?? '';
	}

	public function update_meta_data( $key, $value ) {
		$this->data['meta'][ $key ] = $value;
	}

	public function delete_meta_data( $key ) {
		unset( $this->data['meta'][ $key ] );
	}

	/** Only the meta data, as WooCommerce does. */
	public function save_meta_data() {
		$stored = get_option( 'standin_' . static::KIND . '_' . $this->data['id'] );
		update_option( 'standin_' . static::KIND . '_' . $this->data['id'], array( 'meta' => $this->data['meta'] ) + $stored, false );
	}
}

class WC_Product extends Standin_Data {
	const KIND = 'product';

	public function get_sku() {
		return $this->data['sku'];
	}

	public function managing_stock() {
		return $this->data['manage_stock'] ?? true;
	}

	public function get_stock_quantity() {
		return $this->data['stock'];
	}
}

final class WC_Order_Item_Product {
	private $data;

	public function __construct( array $data ) {
		$this->data = $data;
	}

	public function get_product() {
		return wc_get_product( $this->data['product_id'] ?? 0 );
	}

	public function get_product_id() {
		return $this->data['product_id'] ?? 0;
	}

	public function get_variation_id() {
		return 0;
	}

	public function get_quantity() {
		return $this->data['quantity'] ?? 1;
	}

	public function get_total() {
		return (string) $this->data['total'];
	}

	public function get_total_tax() {
		return (string) ( $this->data['tax'] ?? 0 );
	}

	public function get_taxes() {
		return array( 'total' => array( 1 => $this->get_total_tax() ) );
	}
}

class WC_Order extends Standin_Data {
	const KIND = 'order';

	public function __call( $name, $arguments ) {
		if ( 1 === preg_match( '/^get_((?:billing|shipping)_(?:first_name|last_name|company|address_1|address_2|city|state|postcode|country|email|phone))$/', $name, $found ) ) {
			return $this->data['fields'][ $found[1] ] ?? '';
		}
		throw new Error( "WC_Order has no method $name" );
	}

	public function get_order_number() {
		return (string) $this->data['id'];
	}

	public function get_status() {
		return $this->data['status'];
	}

	public function has_status( $status ) {
		return in_array( $this->data['status'], (array) $status, true );
	}

	public function get_items( $type = 'line_item' ) {
		return array_map(
			static function ( $item ) {
				return new WC_Order_Item_Product( $item );
			},
			array_filter(
				$this->data['items'],
				static function ( $item ) use ( $type ) {
					return $item['type'] === $type;
				}
			)
		);
	}

	public function get_total() {
		return (string) array_sum( array_map( static fn ( $item ) => $item['total'] + ( $item['tax'] ?? 0 ), $this->data['items'] ) );
	}

	public function get_total_refunded() {
		return (string) array_sum( array_map( static fn ( $refund ) => $refund['total'] + ( $refund['tax'] ?? 0 ), $this->data['refunds'] ) );
	}

	/** Negative, as in WooCommerce. */
	public function get_qty_refunded_for_item( $id ) {
		return -1 * $this->refunded( $id, 'quantity' );
	}

	public function get_total_refunded_for_item( $id, $type = 'line_item' ) {
		return $this->refunded( $id, 'total' );
	}

	public function get_tax_refunded_for_item( $id, $tax, $type = 'line_item' ) {
		return $this->refunded( $id, 'tax' );
	}

	private function refunded( $id, $what ) {
		return array_sum( array_map( static fn ( $refund ) => $refund['item'] === $id ? ( $refund[ $what ] ?? 0 ) : 0, $this->data['refunds'] ) );
	}

	public function is_paid() {
		return $this->has_status( array( 'processing', 'completed' ) );
	}

	public function get_date_paid() {
		return isset( $this->data['paid'] ) ? new WC_DateTime( $this->data['paid'] ) : null;
	}

	public function get_date_created() {
		return new WC_DateTime( $this->data['created'] );
	}

	public function get_customer_id() {
		return $this->data['customer_id'] ?? 0;
	}

	public function get_customer_note() {
		return $this->data['note'] ?? '';
	}

	public function add_order_note( $note ) {
		$notes = get_option( 'standin_notes_' . $this->data['id'], array() );
		update_option( 'standin_notes_' . $this->data['id'], array_merge( $notes, array( $note ) ), false );
	}

	public function get_edit_order_url() {
		return admin_url( 'admin.php?page=wc-orders&action=edit&id=' . $this->data['id'] );
	}

	public function update_status( $status ) {
		$from                 = $this->data['status'];
		$this->data['status'] = $status;
		$this->store();
		do_action( 'woocommerce_order_status_changed', $this->data['id'], $from, $status, $this );
	}

	public function payment_complete() {
		$this->data['paid'] = gmdate( 'c' );
		$this->update_status( 'processing' );
		do_action( 'woocommerce_payment_complete', $this->data['id'], '' );
	}
}

function wc_get_order( $id ) {
	return $id instanceof WC_Order ? $id : WC_Order::load( $id );
}

function wc_get_orders( array $args ) {
	$unknown = array_diff( array_keys( $args ), array( 'limit', 'status', 'meta_key', 'meta_value' ) );
	if ( array() !== $unknown ) {
		throw new Error( 'wc_get_orders: ' . implode( ', ', $unknown ) );
	}
	$orders = array_filter(
		array_map( array( WC_Order::class, 'load' ), WC_Order::ids() ),
		static function ( $order ) use ( $args ) {
			return ( ! isset( $args['status'] ) || $order->has_status( $args['status'] ) )
				&& ( ! isset( $args['meta_key'] ) || $order->get_meta( $args['meta_key'] ) === $args['meta_value'] );
		}
	);
	return array_slice( array_values( $orders ), 0, $args['limit'] ?? 10 );
}

function wc_get_product( $id ) {
	return $id instanceof WC_Product ? $id : ( $id ? WC_Product::load( $id ) : false );
}

function wc_get_product_id_by_sku( $sku ) {
	foreach ( WC_Product::ids() as $id ) {
		if ( WC_Product::load( $id )->get_sku() === $sku ) {
			return $id;
		}
	}
	return 0;
}

function wc_update_product_stock( $product, $quantity, $operation ) {
	$stored = WC_Product::load( $product->get_id() );
	if ( 'set' !== $operation ) {
		throw new Error( "wc_update_product_stock: $operation" );
	}
	$stored->data['stock'] = $quantity;
	$stored->store();
	return $quantity;
}

function wc_get_page_screen_id( $for ) {
	return 'shop-order' === $for ? 'woocommerce_page_wc-orders' : $for;
}

function wc_get_logger() {
	return new class() {
		public function error( $message, array $context ) {
			file_put_contents( WP_CONTENT_DIR . '/wc.log', "{$context['source']}: $message\n", FILE_APPEND );
		}
	};
}

// The functions of Action Scheduler, when the test wants them: a list in an option, which tests/shop.php works off.
if ( file_exists( WP_CONTENT_DIR . '/with-action-scheduler' ) ) {
	function as_schedule_single_action( $at, $hook, $args, $group ) {
		update_option( 'standin_actions', array_merge( get_option( 'standin_actions', array() ), array( array( $at, $hook, $args, $group ) ) ), false );
	}
	function as_schedule_recurring_action( $at, $interval, $hook, $args, $group ) {
		as_schedule_single_action( $at, $hook, $args, $group );
	}
	function as_next_scheduled_action( $hook, $args, $group ) {
		foreach ( get_option( 'standin_actions', array() ) as $action ) {
			if ( array( $hook, $args, $group ) === array_slice( $action, 1 ) ) {
				return $action[0];
			}
		}
		return false;
	}
	function as_unschedule_action( $hook, $args, $group ) {
		$kept = array_filter( get_option( 'standin_actions', array() ), static fn ( $action ) => array( $hook, $args, $group ) !== array_slice( $action, 1 ) );
		update_option( 'standin_actions', array_values( $kept ), false );
	}
}

add_action( 'plugins_loaded', static fn () => do_action( 'before_woocommerce_init' ), 1 );

register_activation_hook(
	__FILE__,
	static function () {
		foreach ( array( 'manage_woocommerce', 'edit_shop_orders' ) as $capability ) {
			get_role( 'administrator' )->add_cap( $capability );
		}
	}
);

add_action(
	'admin_menu',
	static function () {
		add_menu_page( 'WooCommerce', 'WooCommerce', 'edit_shop_orders', 'woocommerce', '__return_null' );
		$show = static function () {
			$order  = wc_get_order( absint( $_GET['id'] ?? 0 ) );
			$screen = wc_get_page_screen_id( 'shop-order' );
			do_action( 'add_meta_boxes', $screen, $order );
			do_meta_boxes( $screen, 'side', $order );
		};
		add_submenu_page( 'woocommerce', 'Orders', 'Orders', 'edit_shop_orders', 'wc-orders', $show );
	}
);
