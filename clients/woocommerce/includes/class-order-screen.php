<?php
/**
 * What Kontor did, in the screen of an order: number, status, skipped lines, the last error.
 *
 * @package Kontor\WooCommerce
 */

namespace Kontor\WooCommerce;

defined( 'ABSPATH' ) || exit;

final class Order_Screen {

	public static function register() {
		add_action( 'add_meta_boxes', array( self::class, 'add_box' ) );
		add_action( 'admin_post_kontor_send_again', array( self::class, 'send_again' ) );
	}

	public static function status( $status ) {
		$names = array(
			__( 'New', 'kontor-for-woocommerce' ),
			__( 'Packed', 'kontor-for-woocommerce' ),
			__( 'Partially shipped', 'kontor-for-woocommerce' ),
			__( 'Shipped', 'kontor-for-woocommerce' ),
			__( 'Canceled', 'kontor-for-woocommerce' ),
		);
		return $names[ absint( $status ) ] ?? __( 'Unknown', 'kontor-for-woocommerce' );
	}

	public static function add_box() {
		// Orders have a screen of their own when they are stored in tables of their own.
		$screen = function_exists( 'wc_get_page_screen_id' ) ? wc_get_page_screen_id( 'shop-order' ) : 'shop_order';
		add_meta_box( 'kontor', __( 'Kontor', 'kontor-for-woocommerce' ), array( self::class, 'show' ), $screen, 'side' );
	}

	/**
	 * @param \WP_Post|\WC_Order $shown Depends on where orders are stored.
	 */
	public static function show( $shown ) {
		$order = $shown instanceof \WP_Post ? wc_get_order( $shown->ID ) : $shown;
		if ( ! $order instanceof \WC_Order || ! current_user_can( 'edit_shop_orders' ) ) {
			return;
		}
		$error   = (string) $order->get_meta( '_kontor_error' );
		$skipped = $order->get_meta( '_kontor_skipped' );
		if ( '' === (string) $order->get_meta( '_kontor_order_id' ) ) {
			echo '<p>' . esc_html__( 'Not in Kontor.', 'kontor-for-woocommerce' ) . '</p>';
		} else {
			$payments = array(
				__( 'Unpaid', 'kontor-for-woocommerce' ),
				__( 'Partially paid', 'kontor-for-woocommerce' ),
				__( 'Paid', 'kontor-for-woocommerce' ),
			);
			self::row( __( 'Sale', 'kontor-for-woocommerce' ), (string) $order->get_meta( '_kontor_num' ) );
			self::row( __( 'Status', 'kontor-for-woocommerce' ), self::status( $order->get_meta( '_kontor_status' ) ) );
			self::row( __( 'Payment', 'kontor-for-woocommerce' ), $payments[ absint( $order->get_meta( '_kontor_shown_payment' ) ) ] ?? '' );
		}
		if ( is_array( $skipped ) && array() !== $skipped ) {
			self::row( __( 'Left out', 'kontor-for-woocommerce' ), implode( ', ', array_map( 'strval', $skipped ) ) );
		}
		if ( '' !== $error ) {
			self::row( __( 'Last error', 'kontor-for-woocommerce' ), $error );
		}
		$url = wp_nonce_url( admin_url( 'admin-post.php?action=kontor_send_again&order_id=' . $order->get_id() ), 'kontor_send_again_' . $order->get_id() );
		echo '<p><a class="button" href="' . esc_url( $url ) . '">' . esc_html__( 'Send again', 'kontor-for-woocommerce' ) . '</a></p>';
	}

	public static function send_again() {
		$order_id = isset( $_GET['order_id'] ) ? absint( $_GET['order_id'] ) : 0;
		check_admin_referer( 'kontor_send_again_' . $order_id );
		$order = wc_get_order( $order_id );
		if ( ! current_user_can( 'edit_shop_orders' ) || ! $order instanceof \WC_Order ) {
			wp_die( esc_html__( 'You may not do this.', 'kontor-for-woocommerce' ), '', array( 'response' => 403 ) );
		}
		$order->delete_meta_data( '_kontor_attempts' );
		$order->save_meta_data();
		Orders::enqueue( $order_id );
		wp_safe_redirect( $order->get_edit_order_url() );
		exit;
	}

	private static function row( $name, $value ) {
		echo '<p><strong>' . esc_html( $name ) . ':</strong> ' . esc_html( $value ) . '</p>';
	}
}
